using System.CommandLine;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.CommandLine.Streams;
using Call = Postrider.CommandLine.Terminal.JetStreamVerb.Call;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider stream</c>.</summary>
internal static class StreamVerb
{
    internal static Command Create()
    {
        var streams = new Command("stream", "Manage streams.") { Add(), Edit(), Info(), List(), Remove(), Purge(), Get(), View(), Backup(), Restore() };
        foreach (var verb in StreamReportVerbs.Create().Concat(StreamChangeVerbs.Create())) streams.Subcommands.Add(verb);
        return streams;
    }

    private static Argument<string> Name() => new("stream") { Description = "The stream" };

    private static Command Add()
    {
        var name = Name();
        var flags = new StreamFlags();
        return JetStreamVerb.Create("add", """
            Create a stream.
              postrider stream add ORDERS --subjects 'orders.>' --max-age 24h --replicas 3
              postrider stream add JOBS --subjects 'jobs.*' --retention workqueue --storage memory
              postrider stream add ORDERS --config orders.json
            """, RunAsync, [name, .. flags.All]);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var config = await flags.ApplyAsync(new StreamConfig { Name = call.Get(name) }, call, ct);
            var stream = await CreateAsync(call, config, ct);
            if (config is { Subjects: null or [], Mirror: null, Sources: null or [] })
                await Console.Error.WriteLineAsync($"postrider: without --subjects, {stream.Config.Name} stores what is published to the subject '{stream.Config.Name}'. Change it with 'postrider stream edit {stream.Config.Name} --subjects ...'.");
            await ShowAsync(call, stream);
        }

        static async Task<StreamInfo> CreateAsync(Call call, StreamConfig config, CancellationToken ct)
        {
            try
            {
                return (await call.Streams.CreateStreamAsync(config, ct)).Info;
            }
            catch (JetStreamException error) when (error.ErrorCode == JetStreamErrors.StreamNameInUse)
            {
                var existing = await call.Streams.GetStreamAsync(config.Name, ct: ct);
                throw new NatsClientException(
                    error.Code,
                    $"{error.Message}.{ConfigDifference.Describe(config, existing.Info.Config)} Change it with 'postrider stream edit {config.Name}', or use another name.",
                    error);
            }
        }
    }

    private static Command Edit()
    {
        var name = Name();
        var flags = new StreamFlags();
        return JetStreamVerb.RequireOneOf(JetStreamVerb.Create("edit", """
            Change the given settings and keep the others.
              postrider stream edit ORDERS --max-age 48h
            """, RunAsync, [name, .. flags.All]), flags.All);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var stream = await call.Streams.GetStreamAsync(call.Get(name), ct: ct);
            await ShowAsync(call, await stream.UpdateAsync(await flags.ApplyAsync(stream.Info.Config, call, ct), ct));
        }
    }

    private static Command Info()
    {
        var name = Name();
        var subjects = new Option<bool>("--subjects") { Description = "Also count messages by subject" };
        return JetStreamVerb.Create("info", """
            Show a stream.
              postrider stream info ORDERS --subjects --json
            """, RunAsync, name, subjects);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var details = call.Get(subjects) ? new StreamDetails { SubjectsFilter = ">" } : null;
            await ShowAsync(call, (await call.Streams.GetStreamAsync(call.Get(name), details, ct)).Info);
        }
    }

    private static Command List()
    {
        var subject = new Option<string?>("--subject") { Description = "Only streams that store this subject" }.Subjects();
        return JetStreamVerb.Create("ls", """
            List the streams.
              postrider stream ls --subject orders.new
            """, RunAsync, subject);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            await call.WriteAllAsync(call.Streams.ListStreamsAsync(call.Get(subject), ct), ApiText.Write, StreamText.Table(), StreamText.AddTo);
        }
    }

    private static Command Remove()
    {
        var name = Name();
        return JetStreamVerb.CreateConfirmed("rm", """
            Delete a stream and all its messages.
              postrider stream rm ORDERS
            """, call => $"delete stream {call.Get(name)} and all its messages", RunAsync, name);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            await call.Streams.DeleteStreamAsync(call.Get(name), ct);
            await call.WriteAsync($$"""{"deleted":{{JsonText.Quote(call.Get(name))}}}""", $"Deleted {call.Get(name)}");
        }
    }

    private static Command Purge()
    {
        var name = Name();
        var subject = new Option<string?>("--subject") { Description = "Only messages of this subject" }.Subjects();
        var upTo = new Option<ulong>("--seq") { Description = "Only messages before this sequence" }.AtLeast(1);
        var keep = new Option<ulong>("--keep") { Description = "Number of newest messages to keep" }.AtLeast(0);
        var verb = JetStreamVerb.CreateConfirmed("purge", """
            Remove messages from a stream.
              postrider stream purge ORDERS --subject 'orders.old.>' --keep 10
            """, call => $"purge stream {call.Get(name)}", RunAsync, name, subject, upTo, keep);
        verb.Validators.Add(result =>
        {
            if (JetStreamVerb.IsGiven(result, upTo) && JetStreamVerb.IsGiven(result, keep)) result.AddError("--seq and --keep cannot be used together.");
        });
        return verb;

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var purge = new StreamPurge { Subject = call.Get(subject), UpToSequence = call.Get(upTo), Keep = call.Get(keep) };
            var purged = await call.Streams.PurgeStreamAsync(call.Get(name), purge, ct);
            await call.WriteAsync($$"""{"purged":{{purged}}}""", $"Purged {Quantity.Of(purged, "message")}");
        }
    }

    private static Command Get()
    {
        var name = Name();
        var sequence = new Argument<ulong?>("seq") { Description = "The message's sequence", Arity = ArgumentArity.ZeroOrOne }.AtLeast(1);
        var subject = new Option<string?>("--last-for") { Description = "Show the last message of this subject instead" }.Subjects();
        var verb = JetStreamVerb.Create("get", """
            Show one message.
              postrider stream get ORDERS 42
              postrider stream get ORDERS --last-for orders.new --json
            """, RunAsync, name, sequence, subject);
        verb.Validators.Add(result =>
        {
            if (JetStreamVerb.IsGiven(result, subject) && result.GetResult(sequence) is { Tokens.Count: > 0 })
                result.AddError("A sequence and --last-for cannot be used together.");
        });
        return verb;

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var stream = await call.Streams.GetStreamAsync(call.Get(name), ct: ct);
            var at = call.Get(sequence) ?? stream.Info.State.LastSequence;
            if (at == 0) throw new NatsClientException(NatsErrorCode.NotFound, $"Stream {stream.Name} has never had a message.");
            var message = call.Get(subject) is { } last
                ? await stream.GetLastMessageAsync<byte[]>(last, ct: ct)
                : await stream.GetMessageAsync<byte[]>(at, ct: ct);
            if (message is null) throw new NatsClientException(NatsErrorCode.NotFound, $"Stream {stream.Name} has no such message.");
            await call.WriteAsync(JetStreamText.Json(message), JetStreamText.Readable(message));
        }
    }

    private static Command View()
    {
        var name = Name();
        var from = new Option<ulong>("--from") { Description = "The first sequence", DefaultValueFactory = _ => 1 }.AtLeast(0);
        var count = new Option<int>("--count", "-c") { Description = "Maximum number of messages", DefaultValueFactory = _ => 10 }.AtLeast(1);
        var subject = new Option<string?>("--subject") { Description = "Only messages of this subject" }.Subjects();
        return JetStreamVerb.Create("view", """
            Show messages in order, without acknowledging any.
              postrider stream view ORDERS --from 100 --count 20 --subject 'orders.new.*'
            """, RunAsync, name, from, count, subject);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var options = new OrderedConsumerOptions
            {
                DeliverPolicy = DeliverPolicy.ByStartSequence,
                StartSequence = Math.Max(1, call.Get(from)),
                FilterSubjects = call.Get(subject) is { } one ? [one] : [],
            };
            var last = (await call.Streams.GetStreamAsync(call.Get(name), ct: ct)).Info.State.LastSequence;
            if (last < options.StartSequence) return;
            var left = call.Get(count);
            using var quiet = CancellationTokenSource.CreateLinkedTokenSource(ct);
            // A filter may match nothing.
            quiet.CancelAfter(TimeSpan.FromSeconds(2));
            try
            {
                await foreach (var message in call.Streams.CreateOrderedConsumer(call.Get(name), options).ConsumeAsync<byte[]>(ct: quiet.Token))
                {
                    quiet.CancelAfter(Timeout.Infinite);
                    await call.WriteAsync(JetStreamText.Json(message), JetStreamText.Readable(message));
                    if (--left <= 0 || message.Metadata.Pending == 0) break;
                }
            }
            catch (OperationCanceledException) when (!ct.IsCancellationRequested)
            {
                await Console.Error.WriteLineAsync("No such message.");
            }
        }
    }

    private static Command Backup()
    {
        var name = Name();
        var folder = new Argument<DirectoryInfo>("folder") { Description = "The target folder; created if it does not exist" };
        var check = new Option<bool>("--check") { Description = "Let the server verify every message first" };
        return JetStreamVerb.Create("backup", """
            Write a backup of a stream and its consumers.
              postrider stream backup ORDERS ./orders-backup
            """, RunAsync, name, folder, check);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var target = call.Get(folder);
            var stream = await call.Streams.GetStreamAsync(call.Get(name), ct: ct);
            var (backup, bytes) = await TransferBar.RunAsync($"Backing up {call.Get(name)}", 0, bar => new BackupFolder(target.FullName).WriteAsync(archive => stream.BackupAsync(bar.Counts(archive), call.Get(check), ct), ct));
            await call.WriteAsync($$"""{"messages":{{backup.State.Messages}},"bytes":{{bytes}}}""", $"Wrote {Quantity.Of(backup.State.Messages, "message")} in {ByteSize.Text(bytes)} to {target}");
        }
    }

    private static Command Restore()
    {
        var folder = new Argument<DirectoryInfo>("folder") { Description = "The folder of the backup" };
        var name = new Option<string?>("--name") { Description = "A different name for the stream" };
        return JetStreamVerb.Create("restore", """
            Create a stream from a backup.
              postrider stream restore ./orders-backup
            """, RunAsync, folder, name);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var source = new BackupFolder(call.Get(folder).FullName);
            var backup = await source.ReadAsync(ct);
            if (call.Get(name) is { } other) backup = backup with { Config = backup.Config with { Name = other } };
            await using var archive = source.OpenArchive();
            var restored = await TransferBar.RunAsync($"Restoring {backup.Config.Name}", archive.Length, bar => call.Streams.RestoreStreamAsync(backup, bar.Counts(archive), ct));
            await ShowAsync(call, restored.Info);
        }
    }

    private static Task ShowAsync(Call call, StreamInfo info) => call.WriteAsync(ApiText.Write(info), StreamText.Readable(info));
}
