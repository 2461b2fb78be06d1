using System.CommandLine;
using System.CommandLine.Parsing;
using Postrider.Client;
using Postrider.Client.JetStream;

namespace Postrider.CommandLine.Terminal;

/// <summary>A verb that talks to JetStream: the server's options, the domain, and one connection while it runs.</summary>
internal static class JetStreamVerb
{
    private const int StreamNotFound = 10059;

    // The server counts nanoseconds in 64 bits.
    private static readonly TimeSpan s_maxTime = TimeSpan.FromDays(292 * 365);

    // Timers do not accept longer times.
    private static readonly TimeSpan s_maxWait = TimeSpan.FromDays(24);

    /// <summary>Creates a verb.</summary>
    /// <param name="name">The verb's name.</param>
    /// <param name="description">One sentence, and examples on lines of their own.</param>
    /// <param name="run">Does it.</param>
    /// <param name="symbols">Its arguments and options, in the order of the help.</param>
    internal static Command Create(string name, string description, Func<Call, CancellationToken, Task> run, params Symbol[] symbols)
        => Create(name, description, run, ClientVerb.Interrupted, symbols);

    /// <summary>Creates a verb that Ctrl+C ends.</summary>
    internal static Command CreateEndless(string name, string description, Func<Call, CancellationToken, Task> run, params Symbol[] symbols)
        => Create(name, description, run, ClientVerb.Success, symbols);

    /// <summary>Creates a verb that asks for confirmation, unless <c>--force</c> is given.</summary>
    /// <param name="name">The verb's name.</param>
    /// <param name="description">One sentence, and examples on lines of their own.</param>
    /// <param name="action">What cannot be undone, as the end of "Really ...?"; null if no confirmation is needed.</param>
    /// <param name="run">Does it.</param>
    /// <param name="symbols">Its arguments and options, in the order of the help.</param>
    internal static Command CreateConfirmed(string name, string description, Func<Call, string?> action, Func<Call, CancellationToken, Task> run, params Symbol[] symbols)
    {
        var force = Confirmation.Force();
        return Create(name, description, RunAsync, [.. symbols, force]);

        Task RunAsync(Call call, CancellationToken ct)
        {
            if (action(call) is { } question) Confirmation.Require(call.Get(force), question);
            return run(call, ct);
        }
    }

    /// <summary>Makes a verb reject a command line with none of its options: it would change nothing and still report success.</summary>
    internal static Command RequireOneOf(Command verb, IEnumerable<Symbol> symbols)
    {
        var options = symbols.OfType<Option>().ToArray();
        verb.Validators.Add(result =>
        {
            if (!Array.Exists(options, option => IsGiven(result, option)))
                result.AddError($"Nothing to change. Use at least one of {string.Join(", ", options.Select(static option => option.Name))}.");
        });
        return verb;
    }

    /// <summary>Whether an option is on the command line.</summary>
    internal static bool IsGiven(CommandResult result, Option option) => result.GetResult(option) is { Implicit: false };

    /// <summary>The value of an option; null for an omitted one, where the parser would return an empty list.</summary>
    internal static T? Given<T>(ParseResult result, Option<T> option) => result.GetResult(option) is null ? default : result.GetValue(option);

    /// <summary>Reads a configuration file.</summary>
    internal static async Task<T> ReadAsync<T>(FileInfo file, Func<string, T> read, CancellationToken ct)
    {
        try
        {
            return read(await File.ReadAllTextAsync(file.FullName, ct));
        }
        catch (NatsClientException error)
        {
            throw new NatsClientException(error.Code, $"{file.FullName}: {error.Message}", error);
        }
    }

    /// <summary>Opens a bucket of keys or objects.</summary>
    internal static async Task<T> OpenBucketAsync<T>(string name, Func<string, Task<T>> open)
    {
        try
        {
            return await open(name);
        }
        catch (JetStreamException error) when (error.ErrorCode == StreamNotFound)
        {
            throw new NatsClientException(NatsErrorCode.NotFound, $"Bucket '{name}' does not exist.", error);
        }
    }

    /// <summary>An optional option for a duration.</summary>
    internal static Option<TimeSpan?> Time(string name, string description) => Time(name, description, TimeSpan.Zero, s_maxTime);

    /// <summary>An optional option for a time that the command waits.</summary>
    internal static Option<TimeSpan?> Wait(string name, string description) => Time(name, description, TimeSpan.FromTicks(1), s_maxWait);

    /// <summary>An optional option for a pause, which may be 0.</summary>
    internal static Option<TimeSpan?> Pause(string name, string description) => Time(name, description, TimeSpan.Zero, s_maxWait);

    /// <summary>An option for words, separated by commas.</summary>
    internal static Option<string[]?> Words(string name, string description) => new(name)
    {
        Description = $"{description}, separated by commas",
        CustomParser = argument => argument.Tokens[0].Value.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries),
    };

    private static Command Create(string name, string description, Func<Call, CancellationToken, Task> run, int interrupted, Symbol[] symbols)
    {
        var server = new ServerOptions();
        var domain = new Option<string?>("--domain") { Description = "The JetStream domain" };
        var verb = ClientVerb.CreateConnected(name, description, server, RunAsync, interrupted);
        verb.AddAll(symbols);
        verb.Options.Add(domain);
        return verb;

        Task RunAsync(ParseResult result, NatsClient client, CancellationToken ct)
            => run(new Call(result, client, server.JetStream(result, result.GetValue(domain)), server.Json(result)), ct);
    }

    private static Option<TimeSpan?> Time(string name, string description, TimeSpan min, TimeSpan max) => new(name)
    {
        Description = $"{description}, such as 500ms, 2h30m or 7d",
        CustomParser = argument =>
        {
            if (Duration.Parse(argument) is not { } time) return null;
            if (time < min) argument.AddError($"{name} must be longer than 0.");
            else if (time > max) argument.AddError($"{name} must be at most {(max == s_maxTime ? "292y" : Duration.Text(max))}.");
            return time;
        },
    };

    /// <summary>One run of a verb.</summary>
    internal sealed record Call(ParseResult Result, NatsClient Client, JetStreamOptions Options, bool Json)
    {
        internal JetStreamContext Streams => Client.CreateJetStreamContext(Options);

        internal T Get<T>(Argument<T> argument) => Result.GetValue(argument)!;

        internal T? Get<T>(Option<T> option) => Given(Result, option);

        /// <summary>Writes for scripts or for people.</summary>
        internal Task WriteAsync(string json, string readable) => Console.Out.WriteLineAsync(Json ? json : readable);

        /// <summary>Writes a table for people, or a line of JSON for each item as it arrives.</summary>
        internal async Task WriteAllAsync<T>(IAsyncEnumerable<T> items, Func<T, string> json, TextTable table, Action<TextTable, T> add)
        {
            await foreach (var item in items)
            {
                if (Json)
                    await Console.Out.WriteLineAsync(json(item));
                else
                    add(table, item);
            }
            if (!table.IsEmpty) await Console.Out.WriteLineAsync(table.ToString());
        }
    }
}
