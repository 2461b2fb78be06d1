using System.CommandLine;
using System.Text;
using Postrider.Client;
using Postrider.Client.JetStream.Models;

namespace Postrider.CommandLine.Checks;

/// <summary>Checks of JetStream's streams, consumers and buckets.</summary>
internal static class JetStreamChecks
{
    private static Option<string> StreamOption() => CheckVerb.Required("--stream", "The stream");

    internal static Command Stream()
    {
        var stream = StreamOption();
        var lag = CheckVerb.Threshold("--lag-critical", "Messages that a source or the mirror may be behind");
        var seen = JetStreamVerb.Time("--seen-critical", "Time since a source or the mirror was seen");
        var minSources = CheckVerb.Threshold("--min-sources", "Minimum number of sources");
        var maxSources = CheckVerb.Threshold("--max-sources", "Maximum number of sources");
        var peers = CheckVerb.Threshold("--peer-expect", "Number of replicas, with the leader");
        var peerLag = CheckVerb.Threshold("--peer-lag-critical", "Operations that a replica may be behind");
        var messagesWarn = CheckVerb.Threshold("--msgs-warn", "Warning below this number of messages");
        var messagesCritical = CheckVerb.Threshold("--msgs-critical", "Critical below this number of messages");
        var subjectsWarn = CheckVerb.Threshold("--subjects-warn", "Warning from this number of subjects on");
        var subjectsCritical = CheckVerb.Threshold("--subjects-critical", "Critical from this number of subjects on");
        return CheckVerb.Create("stream", """
            Check a stream's messages, subjects, sources and replicas.
              postrider server check stream --stream ORDERS --msgs-critical 1
            """, result => result.GetValue(stream)!, RunAsync, stream, lag, seen, minSources, maxSources, peers, peerLag, messagesWarn, messagesCritical, subjectsWarn, subjectsCritical);

        async Task RunAsync(CheckVerb.Call call, CancellationToken ct)
        {
            await using var client = await call.ConnectAsync(ct);
            var info = (await client.CreateJetStreamContext(call.Server.JetStream(call.Result)).GetStreamAsync(call.Get(stream)!, ct: ct)).Info;
            var check = call.Check;
            check.Ok($"{Quantity.Of(info.State.Messages, "message")} in {Quantity.Of(info.State.SubjectCount, "subject")}");
            check.AtLeast("messages", info.State.Messages, "", call.Get(messagesWarn), call.Get(messagesCritical), Quantity.Of(info.State.Messages, "message"), "Messages stored in the stream");
            check.AtMost("subjects", info.State.SubjectCount, "", call.Get(subjectsWarn), call.Get(subjectsCritical), Quantity.Of(info.State.SubjectCount, "subject"), "Number of subjects stored in the stream");
            var sources = info.Sources ?? [];
            foreach (var source in info.Mirror is { } mirror ? [mirror] : sources)
            {
                check.AtMost("lag", source.Lag, "", null, call.Get(lag), $"{source.Name} is {Quantity.Of(source.Lag, "message")} behind", "Messages that the origin is ahead");
                check.AtMost("active", source.Active.TotalSeconds, "s", null, call.Seconds(seen), $"{source.Name} was seen {Duration.Text(source.Active)} ago", "Time since the origin was seen");
            }
            if (call.Get(minSources) is { } low && sources.Count < low) check.Critical($"{sources.Count} of at least {low} sources");
            if (call.Get(maxSources) is { } high && sources.Count > high) check.Critical($"{sources.Count} of at most {high} sources");
            var replicas = info.Cluster?.Replicas ?? [];
            if (call.Get(peers) is { } expected && replicas.Count + 1 != expected) check.Critical($"{replicas.Count + 1} of {expected} replicas");
            foreach (var replica in replicas)
            {
                if (replica.Offline) check.Critical($"replica {replica.Name} is offline");
                check.AtMost("replica_lag", replica.Lag, "", null, call.Get(peerLag), $"replica {replica.Name} is {Quantity.Of(replica.Lag, "operation")} behind", "Operations that a replica is behind");
            }
        }
    }

    internal static Command Consumer()
    {
        var (stream, consumer) = (StreamOption(), CheckVerb.Required("--consumer", "The consumer"));
        var pending = CheckVerb.Threshold("--outstanding-ack-critical", "Critical from this number of outstanding acknowledgments on");
        var waiting = CheckVerb.Threshold("--waiting-critical", "Critical from this number of waiting pulls on");
        var unprocessed = CheckVerb.Threshold("--unprocessed-critical", "Critical from this number of unprocessed messages on");
        var redelivered = CheckVerb.Threshold("--redelivery-critical", "Critical from this number of redelivered messages on");
        var delivery = JetStreamVerb.Time("--last-delivery-critical", "Time since the last delivery");
        var ack = JetStreamVerb.Time("--last-ack-critical", "Time since the last acknowledgment");
        var pinned = new Option<bool>("--pinned") { Description = "Every priority group needs a pinned client" };
        return CheckVerb.Create("consumer", """
            Check how far a consumer is behind.
              postrider server check consumer --stream ORDERS --consumer billing --unprocessed-critical 10000
            """, result => $"{result.GetValue(stream)}_{result.GetValue(consumer)}", RunAsync, stream, consumer, pending, waiting, unprocessed, redelivered, delivery, ack, pinned);

        async Task RunAsync(CheckVerb.Call call, CancellationToken ct)
        {
            await using var client = await call.ConnectAsync(ct);
            var info = (await client.CreateJetStreamContext(call.Server.JetStream(call.Result)).GetConsumerAsync(call.Get(stream)!, call.Get(consumer)!, ct)).Info;
            var check = call.Check;
            check.Ok($"{Quantity.Of(info.PendingCount, "message")} unprocessed, {Quantity.Of(info.AckPendingCount, "acknowledgment")} outstanding");
            check.AtMost("ack_pending", info.AckPendingCount, "", null, call.Get(pending), $"{Quantity.Of(info.AckPendingCount, "acknowledgment")} outstanding", "Messages waiting for an acknowledgment");
            check.AtMost("pull_waiting", info.WaitingCount, "", null, call.Get(waiting), $"{Quantity.Of(info.WaitingCount, "pull")} waiting", "Waiting pull requests");
            check.AtMost("pending", info.PendingCount, "", null, call.Get(unprocessed), $"{Quantity.Of(info.PendingCount, "message")} unprocessed", "Messages that were not delivered yet");
            check.AtMost("redelivered", info.RedeliveredCount, "", null, call.Get(redelivered), $"{Quantity.Of(info.RedeliveredCount, "message")} redelivered", "Messages being redelivered");
            Age("last_delivery", info.Delivered, delivery, "delivery");
            Age("last_ack", info.AckFloor, ack, "acknowledgment");
            if (call.Get(pinned) && (info.PriorityGroups is not { Count: > 0 } groups || groups.Any(static group => string.IsNullOrEmpty(group.PinnedClientId))))
                check.Critical("not every priority group has a pinned client");

            void Age(string name, SequenceInfo sequence, Option<TimeSpan?> critical, string what)
            {
                if (sequence.LastActive is { } time)
                    check.AtMost(name, (info.Time - time).TotalSeconds, "s", null, call.Seconds(critical), $"last {what} {Duration.Text(info.Time - time)} ago", $"Seconds since the last {what}");
                else if (call.Get(critical) is not null)
                    check.Critical($"no {what} yet");
            }
        }
    }

    internal static Command Message()
    {
        var stream = StreamOption();
        var subject = new Option<string?>("--subject") { Description = "The last message of this subject; the last of all when omitted" }.Subjects();
        var warn = JetStreamVerb.Time("--age-warn", "Age of a warning");
        var critical = JetStreamVerb.Time("--age-critical", "Age of a critical state");
        var content = new Option<string?>("--content") { Description = "A regular expression that the payload has to match" };
        content.Validators.Add(static result => ServerChecks.CheckPattern(result));
        return CheckVerb.Create("message", """
            Check the age and the content of a stream's last message.
              postrider server check message --stream BACKUPS --subject backups.db --age-critical 26h
            """, result => $"{result.GetValue(stream)}", RunAsync, stream, subject, warn, critical, content);

        async Task RunAsync(CheckVerb.Call call, CancellationToken ct)
        {
            await using var client = await call.ConnectAsync(ct);
            var found = await client.CreateJetStreamContext(call.Server.JetStream(call.Result)).GetStreamAsync(call.Get(stream)!, ct: ct);
            if (await found.GetLastMessageAsync<byte[]>(call.Get(subject) ?? ">", ct: ct) is not { } message)
            {
                call.Check.Critical("no message found");
                return;
            }
            var age = TimeProvider.System.GetUtcNow() - message.Time;
            call.Check.Ok($"message {message.Sequence} on {message.Subject}");
            call.Check.Measure("bytes", message.Data.Length, "B", "The size of the message");
            call.Check.AtMost("age", Math.Max(0, age.TotalSeconds), "s", call.Seconds(warn), call.Seconds(critical), $"{Duration.Text(age)} old", "The age of the message");
            if (call.Get(content) is { } pattern && !ServerChecks.Matches(Encoding.UTF8.GetString(message.Data), pattern)) call.Check.Critical($"the content does not match '{pattern}'");
        }
    }

    internal static Command KeyValue()
    {
        var bucket = CheckVerb.Required("--bucket", "The bucket");
        var warn = CheckVerb.Threshold("--values-warn", "Warning from this number of values on");
        var critical = CheckVerb.Threshold("--values-critical", "Critical from this number of values on");
        var key = new Option<string?>("--key") { Description = "A key that needs a value" };
        return CheckVerb.Create("kv", """
            Check a bucket's values.
              postrider server check kv --bucket settings --key colour --values-warn 1000
            """, result => result.GetValue(bucket)!, RunAsync, bucket, warn, critical, key);

        async Task RunAsync(CheckVerb.Call call, CancellationToken ct)
        {
            await using var client = await call.ConnectAsync(ct);
            var found = await JetStreamVerb.OpenBucketAsync(call.Get(bucket)!, name => client.CreateKeyValueContext(call.Server.JetStream(call.Result)).GetBucketAsync(name, ct));
            var status = await found.GetStatusAsync(ct);
            call.Check.Ok($"bucket {status.Bucket}");
            call.Check.Measure("bytes", status.Bytes, "B", "Bytes stored in the bucket");
            call.Check.AtMost("values", status.Values, "", call.Get(warn), call.Get(critical), Quantity.Of(status.Values, "value"), "How many values are stored in the bucket");
            if (call.Get(key) is not { } wanted) return;
            if (await found.TryGetAsync<byte[]>(wanted, ct: ct) is { Operation: Postrider.Client.KeyValue.KeyValueOperation.Put }) call.Check.Ok($"key {wanted} has a value");
            else call.Check.Critical($"key {wanted} has no value");
        }
    }

    internal static Command Account()
    {
        var (memoryWarn, memoryCritical) = Percent("mem", "memory", 75, 90);
        var (storeWarn, storeCritical) = Percent("store", "disk space", 75, 90);
        var (streamsWarn, streamsCritical) = Percent("streams", "streams");
        var (consumersWarn, consumersCritical) = Percent("consumers", "consumers");
        var replicaLag = CheckVerb.Threshold("--replica-lag-critical", "Operations that a stream's replica may be behind (200)");
        return CheckVerb.Create("jetstream", """
            Check an account's usage of its limits, and the replicas of its streams.
              postrider server check jetstream --store-warn 60 --store-critical 80
            """, static _ => "JetStream", RunAsync, memoryWarn, memoryCritical, storeWarn, storeCritical, streamsWarn, streamsCritical, consumersWarn, consumersCritical, replicaLag);

        async Task RunAsync(CheckVerb.Call call, CancellationToken ct)
        {
            await using var client = await call.ConnectAsync(ct);
            var streams = client.CreateJetStreamContext(call.Server.JetStream(call.Result));
            var info = await streams.GetAccountInfoAsync(ct);
            call.Check.Ok($"{ByteSize.Text((long)info.Memory)} of memory, {ByteSize.Text((long)info.Storage)} of disk space, {Quantity.Of(info.Streams, "stream")}, {Quantity.Of(info.Consumers, "consumer")}");
            Share("memory", info.Memory, info.Limits.MaxMemory, "B", call.Get(memoryWarn) ?? 75, call.Get(memoryCritical) ?? 90);
            Share("storage", info.Storage, info.Limits.MaxStorage, "B", call.Get(storeWarn) ?? 75, call.Get(storeCritical) ?? 90);
            Share("streams", (ulong)info.Streams, info.Limits.MaxStreams, "", call.Get(streamsWarn), call.Get(streamsCritical));
            Share("consumers", (ulong)info.Consumers, info.Limits.MaxConsumers, "", call.Get(consumersWarn), call.Get(consumersCritical));
            await foreach (var stream in streams.ListStreamsAsync(ct: ct))
                foreach (var replica in stream.Cluster?.Replicas ?? [])
                    if (replica.Offline || replica.Lag >= (ulong)(call.Get(replicaLag) ?? 200)) call.Check.Critical($"replica {replica.Name} of stream {stream.Config.Name} is {(replica.Offline ? "offline" : $"{Quantity.Of(replica.Lag, "operation")} behind")}");

            void Share(string name, ulong used, long limit, string unit, long? warn, long? critical)
            {
                call.Check.Measure(name, used, unit, $"JetStream {name} used");
                if (limit > 0) call.Check.AtMost($"{name}_pct", 100.0 * used / limit, "%", warn, critical, $"{100 * used / (ulong)limit} % of {name}", $"JetStream {name} used in percent of the limit");
            }
        }

        static (Option<long?> Warn, Option<long?> Critical) Percent(string name, string what, int? warn = null, int? critical = null) =>
        (
            CheckVerb.Threshold($"--{name}-warn", $"Warning from this share of the account's {what} on, in percent{(warn is null ? "" : $" ({warn})")}"),
            CheckVerb.Threshold($"--{name}-critical", $"Critical from this share of the account's {what} on, in percent{(critical is null ? "" : $" ({critical})")}"));
    }
}
