QString label = tr("No build stands apart");
QString menu = tr("Open It as &What It Is");
QString tip = tr("A file tells its format");
QString note = tr("Nothing before is called so");
QString hint = tr("TRACE.etl stands for the file");
