using Postrider.CommandLine.Serving;
using Postrider.CommandLine.Verbs;

// Started under nats-server's name, the program takes its flags and nothing else.
if (ProgramName.IsNatsServer)
    return await ServerProgram.RunAsync(args);
return args is ["serve", .. var flags]
    ? await ServerProgram.RunAsync(flags)
    : await PostriderCommand.Create().Parse(args).InvokeAsync();
