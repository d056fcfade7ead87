// Without LLVM: names from the symbol table, no lines, no inlined calls.
#include "core/symbols/elf/elf_symbol_file.h"

#include "core/symbols/answers/address_answers.h"
#include "core/symbols/elf/elf_contents.h"
#include "core/symbols/elf/elf_symbols.h"
#include "core/symbols/elf/stripped_symbols.h"

namespace highwater::symbols {

class ElfSymbolFile::Impl {
  public:
    Impl(std::unique_ptr<ElfContents> file, std::shared_ptr<const void> owner)
        : owner_(std::move(owner)), file_(std::move(file)), stripped_(*file_), symbols_(stripped_.all()) {
        identity_.buildId = file_->buildId();
    }

    [[nodiscard]] const SymbolIdentity& identity() const { return identity_; }
    [[nodiscard]] std::string remark() const {
        if (!file_->hasDwarf()) return stripped_.remark();
        return "lines and inlined calls are missing because this build of Highwater does not support DWARF";
    }

    [[nodiscard]] ResolvedAddresses resolve(std::span<const Rva> addresses, const std::stop_token& stop) const {
        AddressAnswers answers;
        for (std::size_t i = 0; i < addresses.size() && !stop.stop_requested(); ++i) {
            const auto address = addresses[i] + file_->linkedBase();
            const auto symbols = symbols_.at(address);
            if (symbols.empty()) continue;
            FrameAnswer frame{.function = symbols.front().name, .origin = NameOrigin::Public};
            frame.offset = static_cast<std::uint32_t>(address - symbols.front().begin);
            frame.foldedWith = static_cast<std::uint32_t>(symbols.size() - 1);
            answers.frames.push_back(frame);
            answers.addresses.push_back({i, answers.frames.size() - 1, answers.frames.size()});
        }
        return mergeAnswers(addresses.size(), std::span(&answers, 1));
    }

  private:
    std::shared_ptr<const void> owner_;
    std::unique_ptr<ElfContents> file_;
    SymbolIdentity identity_;
    StrippedSymbols stripped_;
    ElfSymbols symbols_;
};

bool ElfSymbolFile::isElf(ByteSpan bytes) {
    return bytes.size() >= 4 && std::memcmp(bytes.data(),
                                            "\x7F"
                                            "ELF",
                                            4) == 0;
}

Result<std::unique_ptr<SymbolFile>> ElfSymbolFile::open(ByteSpan bytes, std::shared_ptr<const void> owner,
                                                        const std::filesystem::path&, const LinkedFiles&) {
    auto file = TRY(ElfContents::open(bytes));
    if (!file->isLinked())
        return Error{ErrorKind::Unsupported, "Object files are not supported because their code has no addresses yet."};
    return std::unique_ptr<SymbolFile>(new ElfSymbolFile(std::make_unique<Impl>(std::move(file), std::move(owner))));
}

ElfSymbolFile::ElfSymbolFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ElfSymbolFile::~ElfSymbolFile() = default;

const SymbolIdentity& ElfSymbolFile::identity() const { return impl_->identity(); }
std::string ElfSymbolFile::remark() const { return impl_->remark(); }
bool ElfSymbolFile::hasPrivateSymbols() const { return false; }

ResolvedAddresses ElfSymbolFile::resolve(std::span<const Rva> addresses, std::stop_token stop) {
    return impl_->resolve(addresses, stop);
}

} // namespace highwater::symbols
