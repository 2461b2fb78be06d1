using System.CommandLine;
using Postrider.Client;
using Postrider.CommandLine.Contexts;

namespace Postrider.CommandLine.Checks;

/// <summary>A verb that checks something; its output and exit code are for a monitoring system.</summary>
internal static class CheckVerb
{
    /// <summary>Creates a check.</summary>
    /// <param name="name">The verb's name, which is the suite's name as well.</param>
    /// <param name="description">One sentence, and examples on lines of their own.</param>
    /// <param name="item">What is checked.</param>
    /// <param name="run">Does it. An error of the server or a time-out becomes a critical state.</param>
    /// <param name="symbols">Its arguments and options, in the order of the help.</param>
    internal static Command Create(string name, string description, Func<ParseResult, string> item, Func<Call, CancellationToken, Task> run, params Symbol[] symbols)
    {
        var server = new ServerOptions();
        var format = new Option<CheckFormat?>("--format") { Description = "nagios, text, prometheus or json" }.OneOf();
        var verb = ClientVerb.Create(name, description, server, RunAsync);
        verb.AddAll(symbols);
        verb.Options.Add(format);
        return verb;

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            var check = new CheckResult(name, item(result));
            try
            {
                await run(new Call(result, server, check), ct);
            }
            catch (Exception error) when (IsOwnMistake(error, ct))
            {
                check.Unknown(error is OperationCanceledException ? "Interrupted before the end." : error.Message);
            }
            catch (NatsClientException error)
            {
                check.Critical(error.Message);
            }
            catch (TimeoutException)
            {
                check.Critical($"The server did not reply within {Duration.Text(server.Timeout(result))}.");
            }
            var chosen = server.Json(result) ? CheckFormat.Json : result.GetValue(format) ?? CheckFormat.Nagios;
            await Console.Out.WriteLineAsync(check.Write(chosen));
            return check.ExitCode(chosen);
        }
    }

    /// <summary>The exit code of a command line that cannot be run. Monitoring systems read a check's first line and its exit code.</summary>
    internal static int ExitCodeOfBadInput(ParseResult line)
    {
        if (!$"{BadInput.PathOf(line.CommandResult)} ".StartsWith("postrider server check ", StringComparison.Ordinal)) return ClientVerb.Failure;
        Console.Out.WriteLine("UNKNOWN: The command line of the check is not valid; standard error has the reason.");
        return (int)CheckStatus.Unknown;
    }

    /// <summary>Whether a check failed on this side, so that nothing is known about the server: the state is unknown.</summary>
    /// <param name="error">Why it failed.</param>
    /// <param name="ct">Cancelled by Ctrl+C.</param>
    internal static bool IsOwnMistake(Exception error, CancellationToken ct)
        => error is ContextException or IOException or UnauthorizedAccessException or NatsClientException { Code: NatsErrorCode.InvalidOption or NatsErrorCode.CredentialsUnavailable }
            || (error is OperationCanceledException && ct.IsCancellationRequested);

    /// <summary>A whole number as a threshold.</summary>
    internal static Option<long?> Threshold(string name, string description) => new Option<long?>(name) { Description = description }.AtLeast(0);

    /// <summary>A text that has to be given.</summary>
    internal static Option<string> Required(string name, string description) => new(name) { Description = description, Required = true };

    /// <summary>One run of a check.</summary>
    internal sealed record Call(ParseResult Result, ServerOptions Server, CheckResult Check)
    {
        internal T? Get<T>(Option<T> option) => JetStreamVerb.Given(Result, option);

        internal double? Seconds(Option<TimeSpan?> option) => Get(option)?.TotalSeconds;

        internal Task<NatsClient> ConnectAsync(CancellationToken ct) => Server.ConnectAsync(Result, "server check", ct);
    }
}
