void ask(const QString& name) {
    auto* question = new QMessageBox;
    question->setTextFormat(Qt::RichText);
    page->setHtml(name);
}
