#include "ui/model/rows.h"
#include "pivot.moc"
