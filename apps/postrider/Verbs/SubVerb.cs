using System.CommandLine;
using System.Globalization;
using System.Text;
using System.Threading.Channels;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider sub</c>.</summary>
internal sealed class SubVerb
{
    // The limit of messages waiting for output: a slow terminal slows the subscriptions down, which have their own limits.
    private const int MaxWaiting = 256;

    private readonly ServerOptions _server = new();
    private readonly Argument<string[]> _subjects = SubjectArgument.Patterns("The subjects; * and > are wildcards");
    private readonly Option<string?> _queue = new("--queue", "-q") { Description = "Queue group: each message goes to one member" };
    private readonly Option<long> _count = new Option<long>("--count", "-c") { Description = "Stop after this many messages" }.AtLeast(1);
    private readonly Option<TimeSpan?> _wait = JetStreamVerb.Wait("--wait", "Stop when no message arrives for this long");
    private readonly Option<bool> _raw = new("--raw") { Description = "Print only payloads" };
    private readonly Option<bool> _times = new("--timestamps", "-t") { Description = "Print the time at which each message arrived; for a stream, each message's own time is always shown" };
    private readonly Option<string?> _stream = new("--stream") { Description = "Read this stream's messages instead, without acknowledging any" };
    private readonly Option<bool> _all = new("--all") { Description = "From the first message of the stream" };
    private readonly Option<bool> _new = new("--new") { Description = "Only new messages of the stream (default)" };
    private readonly Option<bool> _last = new("--last") { Description = "From the last message of the stream" };
    private readonly Option<bool> _lastPerSubject = new("--last-per-subject") { Description = "From the last message of each subject" };
    private readonly Option<ulong> _sequence = new Option<ulong>("--start-sequence") { Description = "From this message of the stream" }.AtLeast(1);
    private readonly Option<TimeSpan?> _since = JetStreamVerb.Time("--since", "From this long ago");
    private readonly Option<bool> _graph = new("--graph") { Description = "Draw the rate of messages instead of printing them" };
    private readonly Option<TimeSpan?> _interval = JetStreamVerb.Wait("--interval", "Time between two updates of the graph (1s)");
    private readonly Option<bool> _headersOnly = new("--headers-only") { Description = "Without the payloads of the stream's messages" };

    internal static Command Create()
    {
        var sub = new SubVerb();
        var verb = ClientVerb.Create("sub", """
            Show the messages of subjects until Ctrl+C.
              postrider sub 'orders.>' 'invoices.*' --timestamps
              postrider sub orders.new --queue workers --count 10 --json
              postrider sub 'orders.>' --stream ORDERS --since 1h
              postrider sub 'orders.>' --graph
            """, sub._server, sub.RunAsync, ClientVerb.Success);
        verb.Arguments.Add(sub._subjects);
        Option[] starts = [sub._all, sub._new, sub._last, sub._lastPerSubject, sub._sequence, sub._since];
        foreach (var option in (Option[])[sub._queue, sub._count, sub._wait, sub._raw, sub._times, sub._stream, .. starts, sub._headersOnly, sub._graph, sub._interval]) verb.Options.Add(option);
        verb.Validators.Add(result =>
        {
            Option[] given = [.. starts.Where(option => JetStreamVerb.IsGiven(result, option))];
            if (given.Length > 1) result.AddError($"Use one of {string.Join(" and ", given.Select(static option => option.Name))}.");
            if (given.Length > 0 && result.GetValue(sub._stream) is null) result.AddError($"{given[0].Name} needs --stream.");
            if (result.GetValue(sub._queue) is not null && result.GetValue(sub._stream) is not null) result.AddError("--queue and --stream cannot be used together.");
            if (result.GetValue(sub._graph) && (result.GetValue(sub._raw) || result.GetValue(sub._times))) result.AddError("--graph prints no messages: --raw and --timestamps cannot be used with it.");
            if (JetStreamVerb.IsGiven(result, sub._interval) && !result.GetValue(sub._graph)) result.AddError("--interval needs --graph.");
        });
        return verb;
    }

    /// <summary>Writes one message in the selected format.</summary>
    internal static async Task WriteAsync(NatsMessage<byte[]> message, bool raw, bool json, CancellationToken ct)
    {
        if (raw) await WriteRawAsync(message.Data, ct);
        else await Console.Out.WriteLineAsync(json ? MessageText.Json(message) : MessageText.Readable(message));
    }

    private async Task<int> RunAsync(ParseResult result, CancellationToken ct)
    {
        await using var client = await _server.ConnectAsync(result, "sub", ct);
        client.WriteNotices();
        using var quiet = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var graph = result.GetValue(_graph) ? new RateGraph(result.GetValue(_interval) ?? TimeSpan.FromSeconds(1), _server.Json(result)) : null;
        using var ended = new CancellationTokenSource();
        var drawing = graph?.RunAsync(ended.Token) ?? Task.CompletedTask;
        try
        {
            if (result.GetValue(_stream) is { } stream) await ReadStreamAsync(client, stream, result, graph, quiet);
            else await ReadSubjectsAsync(client, result, graph, quiet);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            // --wait has elapsed.
        }
        finally
        {
            await ended.CancelAsync();
            await drawing;
        }
        return ClientVerb.Success;
    }

    private async Task ReadSubjectsAsync(NatsClient client, ParseResult result, RateGraph? graph, CancellationTokenSource quiet)
    {
        var subjects = result.GetValue(_subjects)!;
        var arrived = Channel.CreateBounded<NatsMessage<byte[]>>(MaxWaiting);
        var options = new SubscriptionOptions { MaxMessages = result.GetValue(_count) };
        // The server reports a denied subscription later, beside it; a client that gives up reconnecting is closed.
        client.EventOccurred += happened =>
        {
            if (happened is { Kind: ClientEventKind.PermissionDenied or ClientEventKind.Closed, Error: { } reason }) arrived.Writer.TryComplete(reason);
        };
        foreach (var subject in subjects)
            client.Subscribe<byte[]>(subject, (message, ct) => arrived.Writer.WriteAsync(message, ct), result.GetValue(_queue), options);
        await client.FlushAsync(quiet.Token);
        await Console.Error.WriteLineAsync($"Subscribed to {string.Join(", ", subjects)} at {client.ConnectedServer}");
        var left = result.GetValue(_count);
        Rest(result, quiet);
        await foreach (var message in arrived.Reader.ReadAllAsync(quiet.Token))
        {
            if (graph is not null) graph.Count(message.Data.Length);
            else await WriteAsync(message, result, quiet.Token);
            if (--left == 0) return;
            Rest(result, quiet);
        }
    }

    private async Task ReadStreamAsync(NatsClient client, string name, ParseResult result, RateGraph? graph, CancellationTokenSource quiet)
    {
        var streams = client.CreateJetStreamContext(_server.JetStream(result));
        // Reports a wrong name immediately.
        await streams.GetStreamAsync(name, ct: quiet.Token);
        await Console.Error.WriteLineAsync($"Reading stream {name} at {client.ConnectedServer}");
        var left = result.GetValue(_count);
        Rest(result, quiet);
        await foreach (var message in streams.CreateOrderedConsumer(name, Start(result)).ConsumeAsync<byte[]>(ct: quiet.Token))
        {
            if (graph is not null) graph.Count(message.Data.Length);
            else if (result.GetValue(_raw)) await WriteRawAsync(message.Data, quiet.Token);
            else await Console.Out.WriteLineAsync(_server.Json(result) ? JetStreamText.Json(message) : JetStreamText.Readable(message));
            if (--left == 0) return;
            Rest(result, quiet);
        }
    }

    private async Task WriteAsync(NatsMessage<byte[]> message, ParseResult result, CancellationToken ct)
    {
        if (result.GetValue(_times) && !_server.Json(result)) await Console.Out.WriteAsync($"{TimeProvider.System.GetUtcNow().UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture)} ");
        await WriteAsync(message, result.GetValue(_raw), _server.Json(result), ct);
    }

    private OrderedConsumerOptions Start(ParseResult result)
    {
        var options = new OrderedConsumerOptions { FilterSubjects = result.GetValue(_subjects)!, HeadersOnly = result.GetValue(_headersOnly), DeliverPolicy = DeliverPolicy.New };
        if (result.GetValue(_since) is { } since) return options with { DeliverPolicy = DeliverPolicy.ByStartTime, StartTime = TimeProvider.System.GetUtcNow() - since };
        if (result.GetValue(_sequence) is > 0 and var sequence) return options with { DeliverPolicy = DeliverPolicy.ByStartSequence, StartSequence = sequence };
        if (result.GetValue(_all)) return options with { DeliverPolicy = DeliverPolicy.All };
        if (result.GetValue(_last)) return options with { DeliverPolicy = DeliverPolicy.Last };
        return result.GetValue(_lastPerSubject) ? options with { DeliverPolicy = DeliverPolicy.LastPerSubject } : options;
    }

    private void Rest(ParseResult result, CancellationTokenSource quiet)
    {
        if (result.GetValue(_wait) is { } wait) quiet.CancelAfter(wait);
    }

    private static async Task WriteRawAsync(byte[] data, CancellationToken ct)
    {
        await using var output = StandardOutput.Open();
        await output.WriteAsync(data, ct);
        await output.WriteAsync("\n"u8.ToArray(), ct);
    }
}
