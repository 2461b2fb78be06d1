using System.CommandLine;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Call = Postrider.CommandLine.Terminal.JetStreamVerb.Call;

namespace Postrider.CommandLine.Streams;

/// <summary>The verbs of <c>postrider stream</c> about many streams or messages: <c>report</c>, <c>find</c>, <c>subjects</c>, <c>gaps</c> and <c>graph</c>.</summary>
internal static class StreamReportVerbs
{
    internal static IEnumerable<Command> Create() => [Report(), Find(), Subjects(), Gaps(), Graph()];

    private static Argument<string> Name() => new("stream") { Description = "The stream" };

    private static Command Report()
    {
        var sort = new Option<string>("--sort") { Description = "Order: name, messages, bytes or consumers", DefaultValueFactory = static _ => "name" };
        sort.OneOf("name", "messages", "bytes", "consumers");
        return JetStreamVerb.Create("report", """
            Show the contents of every stream, and how far mirrors and sources are behind.
              postrider stream report --sort bytes
            """, RunAsync, sort);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var streams = await call.Streams.ListStreamsAsync(ct: ct).ToListAsync(ct);
            var ordered = call.Get(sort) switch
            {
                "messages" => streams.OrderByDescending(static info => info.State.Messages),
                "bytes" => streams.OrderByDescending(static info => info.State.Bytes),
                "consumers" => streams.OrderByDescending(static info => info.State.ConsumerCount),
                _ => streams.OrderBy(static info => info.Config.Name, StringComparer.Ordinal),
            };
            var table = new TextTable("Stream", "Storage", " Consumers", " Messages", " Bytes", " Deleted", " Lost", "Replicas")
                .MarkNumbers("Lost", CellState.Bad)
                .Mark("Replicas", static text => text.Contains("(offline)", StringComparison.Ordinal) ? CellState.Bad : text.Contains("(outdated)", StringComparison.Ordinal) ? CellState.Warning : CellState.Plain);
            await call.WriteAllAsync(ordered.ToAsyncEnumerable(), ApiText.Write, table, static (rows, info) => rows.Add(
                info.Config.Name,
                info.Config.Storage.ToString(),
                Quantity.Text(info.State.ConsumerCount),
                Quantity.Text(info.State.Messages),
                ByteSize.Text((long)info.State.Bytes),
                Quantity.Text(info.State.DeletedCount),
                Quantity.Text(info.State.Lost?.Sequences?.Count ?? 0),
                Replicas(info)));
            if (!call.Json) await WriteSourcesAsync(streams);
        }
    }

    private static string Replicas(StreamInfo info) => info.Cluster is { Leader: { } leader } cluster
        ? string.Join(", ", [$"{leader}*", .. (cluster.Replicas ?? []).Select(static replica => $"{replica.Name}{(replica.Offline ? " (offline)" : replica.Current ? "" : " (outdated)")}")])
        : "";

    private static async Task WriteSourcesAsync(IEnumerable<StreamInfo> streams)
    {
        var table = new TextTable("Stream", "Kind", "Origin", " Lag", "Last Seen").MarkNumbers("Lag", CellState.Warning).Mark("Last Seen", static text => text == "never" ? CellState.Bad : CellState.Plain);
        foreach (var info in streams)
        {
            if (info.Mirror is { } mirror) Add("Mirror", info, mirror);
            foreach (var source in info.Sources ?? []) Add("Source", info, source);
        }
        if (!table.IsEmpty) await Console.Out.WriteLineAsync($"\n{table}");

        void Add(string kind, StreamInfo info, StreamSourceInfo source)
            => table.Add(info.Config.Name, kind, source.Name, Quantity.Text(source.Lag), source.Active < TimeSpan.Zero ? "never" : $"{Duration.Text(source.Active)} ago");
    }

    private static Command Find()
    {
        var subject = new Option<string?>("--subject") { Description = "Streams that store this subject" }.Subjects();
        var empty = new Option<bool>("--empty") { Description = "Streams without messages" };
        var idle = JetStreamVerb.Time("--idle", "Streams without a new message for this long");
        var created = JetStreamVerb.Time("--created", "Streams that are older than this");
        var consumers = new Option<int?>("--consumers") { Description = "Streams with fewer consumers than this" }.AtLeast(1);
        var replicas = new Option<int?>("--replicas") { Description = "Streams with fewer replicas than this" }.AtLeast(1);
        var mirrored = new Option<bool>("--mirrored") { Description = "Streams that mirror another" };
        var sourced = new Option<bool>("--sourced") { Description = "Streams that have sources" };
        var invert = new Option<bool>("--invert") { Description = "The other streams" };
        return JetStreamVerb.Create("find", """
            List the streams that meet every given condition.
              postrider stream find --idle 7d
              postrider stream find --consumers 1 --invert
            """, RunAsync, subject, empty, idle, created, consumers, replicas, mirrored, sourced, invert);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var found = call.Streams.ListStreamsAsync(call.Get(subject), ct).Where(info => Fits(call, info) != call.Get(invert));
            await call.WriteAllAsync(found, ApiText.Write, StreamText.Table(), StreamText.AddTo);
        }

        bool Fits(Call call, StreamInfo info)
        {
            var now = TimeProvider.System.GetUtcNow();
            return (!call.Get(empty) || info.State.Messages == 0)
                && (call.Get(idle) is not { } quiet || now - (info.State.LastTime.Year > 1 ? info.State.LastTime : info.Created) >= quiet)
                && (call.Get(created) is not { } age || now - info.Created >= age)
                && (call.Get(consumers) is not { } count || info.State.ConsumerCount < count)
                && (call.Get(replicas) is not { } copies || info.Config.Replicas < copies)
                && (!call.Get(mirrored) || info.Config.Mirror is not null)
                && (!call.Get(sourced) || info.Config.Sources is { Count: > 0 });
        }
    }

    private static Command Subjects()
    {
        var name = Name();
        var filter = SubjectArgument.Filter("The subjects; * and > are wildcards");
        var sort = new Option<string>("--sort") { Description = "Order: messages or subject", DefaultValueFactory = static _ => "messages" };
        sort.OneOf("messages", "subject");
        return JetStreamVerb.Create("subjects", """
            Count the messages of each subject.
              postrider stream subjects ORDERS 'orders.new.*'
            """, RunAsync, name, filter, sort);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var info = (await call.Streams.GetStreamAsync(call.Get(name), new StreamDetails { SubjectsFilter = call.Get(filter) ?? ">" }, ct)).Info;
            var subjects = (info.State.Subjects ?? new Dictionary<string, ulong>()).OrderBy(static pair => pair.Key, StringComparer.Ordinal);
            var ordered = call.Get(sort) == "subject" ? subjects : subjects.OrderByDescending(static pair => pair.Value);
            await call.WriteAllAsync(
                ordered.ToAsyncEnumerable(), static pair => JsonText.Object(("subject", pair.Key), ("messages", pair.Value)), new TextTable("Subject", " Messages"), static (rows, pair) => rows.Add(pair.Key, Quantity.Text(pair.Value)));
        }
    }

    private static Command Gaps()
    {
        var name = Name();
        return JetStreamVerb.Create("gaps", """
            Show the runs of deleted messages between the first and the last sequence.
              postrider stream gaps ORDERS
            """, RunAsync, name);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var info = (await call.Streams.GetStreamAsync(call.Get(name), new StreamDetails { DeletedDetails = true }, ct)).Info;
            await call.WriteAllAsync(
                Runs(info.State.Deleted ?? []).ToAsyncEnumerable(),
                static run => JsonText.Object(("first", run.First), ("last", run.Last), ("messages", run.Last - run.First + 1)),
                new TextTable(" First", " Last", " Messages"),
                static (rows, run) => rows.Add(Quantity.Text(run.First), Quantity.Text(run.Last), Quantity.Text(run.Last - run.First + 1)));
            if (!call.Json && info.State.Deleted is not { Count: > 0 }) await Console.Out.WriteLineAsync($"Stream {info.Config.Name} has no gaps.");
        }
    }

    private static IEnumerable<(ulong First, ulong Last)> Runs(IReadOnlyList<ulong> deleted)
    {
        for (var i = 0; i < deleted.Count;)
        {
            var first = i;
            while (i + 1 < deleted.Count && deleted[i + 1] == deleted[i] + 1) i++;
            yield return (deleted[first], deleted[i++]);
        }
    }

    private static Command Graph()
    {
        var name = Name();
        var interval = JetStreamVerb.Wait("--interval", "Time between two updates (1s)");
        var count = new Option<int>("--count", "-c") { Description = "Stop after this many lines" }.AtLeast(1);
        return JetStreamVerb.CreateEndless("graph", """
            Draw the rate of new messages of a stream, a line per interval until Ctrl+C.
              postrider stream graph ORDERS --interval 5s
            """, RunAsync, name, interval, count);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var stream = await call.Streams.GetStreamAsync(call.Get(name), ct: ct);
            var (before, highest) = (stream.Info, 1.0);
            var every = call.Get(interval) ?? TimeSpan.FromSeconds(1);
            await Repeat.UntilCancelledAsync(every, call.Get(count), async ct =>
            {
                var now = await stream.RefreshAsync(ct: ct);
                var seconds = Math.Max(0.001, (now.Time - before.Time).TotalSeconds);
                var rate = Math.Max(0, (long)now.State.LastSequence - (long)before.State.LastSequence) / seconds;
                highest = Math.Max(highest, rate);
                await call.WriteAsync(
                    RateGraph.Json(now.Time, rate, now.State.Messages, (long)now.State.Bytes),
                    RateGraph.Line(now.Time, rate, highest, now.State.Messages, (long)now.State.Bytes));
                before = now;
            }, ct);
        }
    }
}
