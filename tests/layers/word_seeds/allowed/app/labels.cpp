QString command = tr("&What Is Wrong Here…");
QString question = tr("Discard what was recorded?");
QString label = tr("How many bytes");
QString part = tr("of build %1");
QString error = tr("There is no snapshot %1");
QString tip = tr("* matches any text");
QString file = tr("Trace files of the first run");
QString pages = tr("Pages in part of the interval");
