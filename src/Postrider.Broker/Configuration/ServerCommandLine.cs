using Postrider.Broker.Configuration;

namespace Postrider.Broker;

/// <summary>A server's command line and its configuration file, parsed into the action and the options.</summary>
public sealed class ServerCommandLine
{
    private ServerCommandLine(ServerAction action, BrokerOptions options, IReadOnlyList<string> warnings, string signal)
    {
        Action = action;
        Options = options;
        Warnings = warnings;
        Signal = signal;
    }

    /// <summary>The action.</summary>
    public ServerAction Action { get; }

    /// <summary>The options: nats-server's defaults, then the file, then the flags.</summary>
    public BrokerOptions Options { get; }

    /// <summary>Warnings about the file, each with file, line and column where they concern one.</summary>
    public IReadOnlyList<string> Warnings { get; }

    /// <summary>For <see cref="ServerAction.SendSignal"/>: the signal, followed by <c>=</c> and the process id or the pid file.</summary>
    public string Signal { get; }

    /// <summary>Reads a command line and the file it names.</summary>
    /// <param name="args">The arguments without the program's name.</param>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidArguments"/>, <see cref="BrokerError.InvalidConfiguration"/>
    /// or <see cref="BrokerError.InvalidOptions"/>.</exception>
    public static ServerCommandLine Parse(IReadOnlyList<string> args) => Parse(args, new SystemConfigSource());

    internal static ServerCommandLine Parse(IReadOnlyList<string> args, IConfigSource source)
    {
        var flags = FlagParser.Parse(args, ServerFlags.ByName, out var rest);
        var options = new BrokerOptions { Host = "0.0.0.0", OptionNames = ServerFlags.NameOf };
        if (EarlyAction(flags, rest) is { } early)
            return new(early, options, [], "");
        if (LastText(flags, "sl", "signal") is { Length: > 0 } signal)
            return new(ServerAction.SendSignal, options, [], signal);

        var checkOnly = IsOn(flags, "t");
        var file = LastText(flags, "c", "config");
        if (checkOnly && string.IsNullOrEmpty(file))
            throw new BrokerException(BrokerError.InvalidArguments, "must specify [-c, --config] option to check configuration file syntax");
        IReadOnlyList<string> warnings = string.IsNullOrEmpty(file) ? [] : ConfigurationFile.Apply(file, options, source);
        if (checkOnly && warnings.Count > 0)
            throw new BrokerException(BrokerError.InvalidConfiguration, string.Join('\n', warnings));
        foreach (var (name, value) in flags)
            ServerFlags.ByName[name].Set(options, value);
        TlsFlags.Apply(flags, options);
        ClusterFlags.Complete(options);
        options.Validate();
        // A server that starts logs it.
        if (checkOnly)
            warnings = [.. options.FindWarnings()];
        return new(checkOnly ? ServerAction.CheckConfiguration : ServerAction.Run, options, warnings, "");
    }

    private static ServerAction? EarlyAction(List<(string Name, object Value)> flags, IReadOnlyList<string> rest)
    {
        if (IsOn(flags, "v", "version"))
            return ServerAction.ShowVersion;
        if (IsOn(flags, "h", "help", "help_tls"))
            return ServerAction.ShowHelp;
        foreach (var word in rest)
        {
            return word.ToUpperInvariant() switch
            {
                "VERSION" => ServerAction.ShowVersion,
                "HELP" => ServerAction.ShowHelp,
                _ => throw new BrokerException(BrokerError.InvalidArguments, $"unrecognized command: {GoQuote.Quote(word)}"),
            };
        }
        return null;
    }

    private static bool IsOn(List<(string Name, object Value)> flags, params ReadOnlySpan<string> names)
    {
        var on = false;
        foreach (var (name, value) in flags)
            if (names.Contains(name))
                on = (bool)value;
        return on;
    }

    private static string? LastText(List<(string Name, object Value)> flags, params ReadOnlySpan<string> names)
    {
        string? text = null;
        foreach (var (name, value) in flags)
            if (names.Contains(name))
                text = (string)value;
        return text;
    }
}
