const auto kLabel = tr("&Open");
const auto kKey = value("open");
