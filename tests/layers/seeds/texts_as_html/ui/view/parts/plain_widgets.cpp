#include "ui/view/parts/plain_widgets.h"

QMessageBox* ask() { return new QMessageBox; }
