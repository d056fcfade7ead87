<#
.SYNOPSIS
Builds Highwater on Windows and shows a trace.
.DESCRIPTION
  installer\run.ps1                    records Exercise 2's memory test program for half a minute, live
  installer\run.ps1 TRACE.etl ...      these traces, opened together
Recording needs an elevated PowerShell; without one the example trace is shown.
Needs MSYS2 (https://www.msys2.org), in C:\msys64 or where MSYS2_ROOT says; installs what is missing there.
Works from any folder, as often as wanted. If scripts are blocked:
  powershell -ExecutionPolicy Bypass -File installer\run.ps1
#>
[CmdletBinding()]
param([Parameter(ValueFromRemainingArguments)] [string[]] $Traces = @())

$ErrorActionPreference = 'Stop'
$root = Split-Path -Parent $PSScriptRoot

function Say([string] $text) { Write-Host "==> $text" }

function Fail([string] $text) {
    [Console]::Error.WriteLine("highwater: $text")
    exit 2
}

# Traces are named relative to the caller's folder; look at them before the long part starts.
$Traces = @($Traces | ForEach-Object {
    if ($_.StartsWith('-')) {
        [Console]::Error.WriteLine("highwater: $_ is not an option here. Usage: installer\run.ps1 [TRACE.etl ...]")
        exit 1
    }
    if (-not (Test-Path -LiteralPath $_ -PathType Leaf)) { Fail "There is no trace file $_" }
    (Resolve-Path -LiteralPath $_).ProviderPath
})

$msys = if ($env:MSYS2_ROOT) { $env:MSYS2_ROOT } else { 'C:\msys64' }
$bash = Join-Path $msys 'usr\bin\bash.exe'
if (-not (Test-Path -LiteralPath $bash)) {
    Fail "There is no MSYS2 in $msys. Install it (winget install MSYS2.MSYS2), or name its folder in MSYS2_ROOT."
}

# Runs a command of MSYS2's UCRT64 environment in the folder of the project.
function Invoke-Msys([string] $command, [string] $sentence) {
    $before = $env:MSYSTEM, $env:CHERE_INVOKING
    $env:MSYSTEM = 'UCRT64'
    $env:CHERE_INVOKING = '1' # a login shell stays in the folder then
    Push-Location -LiteralPath $root
    try { & $bash -lc $command }
    finally {
        Pop-Location
        $env:MSYSTEM, $env:CHERE_INVOKING = $before
    }
    if ($LASTEXITCODE -ne 0) { Fail $sentence }
}

$list = Join-Path $PSScriptRoot 'packages-msys2.txt'
$packages = Get-Content -LiteralPath $list | ForEach-Object { ($_ -replace '#.*', '').Trim() } | Where-Object { $_ } |
    ForEach-Object { "mingw-w64-ucrt-x86_64-$_" }
$packages = $packages -join ' '
Say 'Looking for packages'
# Asks the servers nothing when nothing is missing.
Invoke-Msys "pacman -T $packages >/dev/null || pacman -Sy --needed --noconfirm $packages" `
    "pacman could not install the packages (see above). By hand, in an MSYS2 UCRT64 shell: pacman -S --needed $packages"

Say 'Configuring the preset windows-msys2'
Invoke-Msys 'cmake --preset windows-msys2 -DHIGHWATER_TESTS=OFF' 'The build could not be configured (see above).'
Say 'Building (some minutes the first time)'
Invoke-Msys 'cmake --build --preset windows-msys2 --target highwater highwater-cli highwater-example memory_test_app' `
    'The build failed (see above).'

$build = Join-Path $root 'build\windows-msys2'

# The file of a program that was just built, wherever its folder is.
function Find-Program([string] $name) {
    (Get-ChildItem -LiteralPath $build -Recurse -Filter "$name.exe" | Select-Object -First 1).FullName
}

$env:PATH = (Join-Path $msys 'ucrt64\bin') + ';' + $env:PATH # Qt's libraries
$window = Find-Program 'highwater'
$shown = Join-Path $root 'build\example'
New-Item -ItemType Directory -Force -Path $shown | Out-Null
$example = Join-Path $shown 'exercise2.etl'
& (Find-Program 'highwater-example') $example
if ($LASTEXITCODE -ne 0) { Fail "The example trace $example could not be written." }

if ($Traces.Count -eq 0) {
    $me = New-Object Security.Principal.WindowsPrincipal ([Security.Principal.WindowsIdentity]::GetCurrent())
    if ($me.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
        $target = Find-Program 'memory_test_app'
        Say "Recording $target"
        Start-Process -FilePath $window -ArgumentList '--graph', 'heap', '--leaks', '--record', "`"$target`""
        exit 0
    }
    Say "This PowerShell is not elevated, so nothing can be recorded: showing the example trace $example"
    $Traces = @($example)
}
Say "Opening $Traces"
Start-Process -FilePath $window -ArgumentList (@('--graph', 'heap', '--leaks') + ($Traces | ForEach-Object { "`"$_`"" }))
