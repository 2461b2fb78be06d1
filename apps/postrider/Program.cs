using System.CommandLine;
using Postrider.CommandLine.Checks;
using Postrider.CommandLine.Logging;
using Postrider.CommandLine.Serving;
using Postrider.CommandLine.Verbs;

// Started under nats-server's name, the program accepts only that program's flags.
if (ProgramName.IsNatsServer)
    return await ServerProgram.RunAsync(args);
if (args is ["serve", .. var flags])
    return await ServerProgram.RunAsync(flags);
try
{
    StandardOutput.Install();
    var line = Questions.Complete(PostriderCommand.Create(), args);
    Colours.Choose(line.GetValue(Colours.Off));
    // Ctrl+C leaves time to delete what a benchmark created.
    var invocation = new InvocationConfiguration { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = TimeSpan.FromSeconds(10) };
    return BadInput.TryReport(line) ? CheckVerb.ExitCodeOfBadInput(line) : await line.InvokeAsync(invocation);
}
catch (OutputClosedException)
{
    return ClientVerb.OutputClosed;
}
catch (Exception error)
{
    // A mistake of this program: its user needs no stack.
    StandardError.TryWriteLine($"postrider: Unexpected error ({error.GetType().Name}): {error.Message.ReplaceLineEndings(" ")}");
    return ClientVerb.Failure;
}
