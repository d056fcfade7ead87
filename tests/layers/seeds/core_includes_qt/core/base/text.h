#pragma once
#include <QString>
#  include <QtGlobal>
#include <qglobal.h>
