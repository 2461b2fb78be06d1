using Postrider.CommandLine.Serving;
using Postrider.CommandLine.Verbs;

// Started under nats-server's name, the program accepts only that program's flags.
if (ProgramName.IsNatsServer)
    return await ServerProgram.RunAsync(args);
if (args is ["serve", .. var flags])
    return await ServerProgram.RunAsync(flags);
var line = Questions.Complete(PostriderCommand.Create(), args);
return BadInput.TryReport(line) ? ClientVerb.Failure : await line.InvokeAsync();
