using System.CommandLine;
using System.Text.Json;
using Postrider.Client;
using Postrider.CommandLine.Contexts;

namespace Postrider.CommandLine.Terminal;

/// <summary>A verb that talks to a server: options for it, and one line on the error stream when that fails.</summary>
internal static class ClientVerb
{
    internal const int Success = 0;
    internal const int Failure = 1;

    /// <summary>As of a program that Ctrl+C ends.</summary>
    internal const int Interrupted = 130;

    /// <summary>As of a program that writes to a pipe without a reader.</summary>
    internal const int OutputClosed = 141;

    /// <summary>Creates a verb that works on one connection, whose losses it reports.</summary>
    /// <param name="name">The name.</param>
    /// <param name="description">The description.</param>
    /// <param name="server">The options of the connection.</param>
    /// <param name="run">Runs it; an exception is its failure.</param>
    /// <param name="interrupted">The exit code after Ctrl+C: success for a verb that has no other end.</param>
    internal static Command CreateConnected(string name, string description, ServerOptions server, Func<ParseResult, NatsClient, CancellationToken, Task> run, int interrupted)
    {
        return Create(name, description, server, RunAsync, interrupted);

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            await using var client = await server.ConnectAsync(result, name, ct);
            client.WriteNotices();
            await run(result, client, ct);
            return Success;
        }
    }

    /// <summary>Creates a verb.</summary>
    /// <param name="name">The verb's name.</param>
    /// <param name="description">One sentence, and examples on lines of their own.</param>
    /// <param name="server">The options for the server.</param>
    /// <param name="run">Does it; the token is cancelled by Ctrl+C.</param>
    /// <param name="interrupted">The exit code after Ctrl+C: success for a verb that has no other end.</param>
    internal static Command Create(string name, string description, ServerOptions server, Func<ParseResult, CancellationToken, Task<int>> run, int interrupted = Interrupted)
    {
        var verb = new Command(name, description);
        server.AddTo(verb);
        verb.SetAction((result, ct) => GuardAsync(run, server, result, interrupted, ct));
        return verb;
    }

    private static async Task<int> GuardAsync(Func<ParseResult, CancellationToken, Task<int>> run, ServerOptions server, ParseResult result, int interrupted, CancellationToken ct)
    {
        try
        {
            return await run(result, ct);
        }
        catch (NatsClientException error)
        {
            await Console.Error.WriteLineAsync($"postrider: {error.Message}");
            if (server.Explain(result, error) is { } explanation)
                await Console.Error.WriteLineAsync($"postrider: {explanation}");
            return Failure;
        }
        catch (Exception error) when (error is NotConfirmedException or ContextException)
        {
            await Console.Error.WriteLineAsync($"postrider: {error.Message}");
            return Failure;
        }
        catch (TimeoutException)
        {
            await Console.Error.WriteLineAsync("postrider: the server did not reply in time. Use --timeout to wait longer.");
            return Failure;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or JsonException)
        {
            // A file, or an output whose reader has exited, for example head.
            await Console.Error.WriteLineAsync($"postrider: {error.Message}");
            return Failure;
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            if (interrupted != Success) await Console.Error.WriteLineAsync("postrider: Interrupted before the end.");
            return interrupted;
        }
    }
}
