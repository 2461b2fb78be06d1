using Postrider.Broker;
using Postrider.CommandLine.Logging;

namespace Postrider.CommandLine.Serving;

/// <summary>The server as a program: nats-server's flags in, an exit code out.</summary>
internal static class ServerProgram
{
    private const int Success = 0;
    private const int Failure = 1;

    /// <summary>Runs until a signal stops it.</summary>
    /// <param name="args">The flags.</param>
    internal static async Task<int> RunAsync(IReadOnlyList<string> args)
    {
        try
        {
            var command = ServerCommandLine.Parse(args);
            return command.Action switch
            {
                ServerAction.ShowVersion => Print(ServerVersion.Line),
                ServerAction.ShowHelp => Print(ServerUsage.Text(ProgramName.IsNatsServer ? ProgramName.NatsServer : $"{ProgramName.Postrider} serve")),
                ServerAction.SendSignal => Send(command.Signal),
                ServerAction.CheckConfiguration => Confirm(command),
                _ => await ServeAsync(command, args),
            };
        }
        catch (BrokerException refusal)
        {
            StandardError.TryWriteLine($"{ProgramName.Current}: {refusal.Message}");
            return Failure;
        }
    }

    private static async Task<int> ServeAsync(ServerCommandLine command, IReadOnlyList<string> args)
    {
        foreach (var warning in command.Warnings)
            StandardError.TryWriteLine(warning);
        // The flags override the file on a reload too.
        await using var server = await RunningServer.StartAsync(command.Options, () => ServerCommandLine.Parse(args).Options);
        await server.WaitAsync();
        return Success;
    }

    private static int Send(string signal)
    {
        SignalSender.Send(signal, ProgramName.Current);
        return Success;
    }

    // On standard error, like nats-server: the standard output of a check stays empty.
    private static int Confirm(ServerCommandLine command)
    {
        var options = command.Options;
        foreach (var warning in command.Warnings)
            StandardError.TryWriteLine($"{ProgramName.Current}: {warning}");
        StandardError.TryWriteLine($"{ProgramName.Current}: configuration file {options.ConfigurationFile} is valid ({options.ConfigurationDigest})");
        return Success;
    }

    private static int Print(string text)
    {
        Console.WriteLine(text);
        return Success;
    }
}
