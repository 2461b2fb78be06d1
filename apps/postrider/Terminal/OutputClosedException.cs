namespace Postrider.CommandLine.Terminal;

/// <summary>The reader of standard output has exited, such as <c>head</c>: the command ends without a message, as other programs do.</summary>
internal sealed class OutputClosedException() : Exception("The reader of the output has exited.");
