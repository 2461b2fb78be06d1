using System.Text;

namespace Postrider.Load.Hostile;

/// <summary>Behaviours that use streams and the JetStream API on streams.</summary>
internal static class StreamAttacks
{
    private const int LastStream = HostileConfiguration.HostileStreams - 1;

    public static IEnumerable<Behaviour> All =>
    [
        new("creates and deletes streams", CreateAndDelete),
        new("updates a stream", Update),
        new("configuration of 1 MB", LargeConfiguration),
        new("thousands of sources with transforms", ManyTransforms),
        new("purges", Purge),
        new("purges a stream of many subjects", PurgeManySubjects),
        new("snapshots cut off", SnapshotCutOff),
        new("restores cut off", RestoreCutOff),
        new("restores that unpack to much", RestoreBomb),
        new("lists with offsets", ListWithOffsets),
        new("API requests, not waited for", ApiFlood),
        new("STREAM.INFO with all subjects", InfoWithSubjects),
        new("deep JSON", DeepJson),
        new("JSON garbage", JsonGarbage),
        new("republishes in a circle", RepublishCircle),
        new("streams that copy each other", SourceCircle),
        new("a chain of mirrors", MirrorChain),
        new("subject transforms", Transforms),
        new("atomic batches without an end", UnfinishedBatches),
        new("schedules", Schedules),
        new("counters with giant numbers", Counters),
        new("messages that expire at once", MessageLifetimes),
        new("new message ids at full speed", MessageIds),
        new("expected sequences", ExpectedSequences),
        new("key-value churn", KeyValue),
        new("direct gets in batches", DirectGets),
        new("gets and deletes single messages", GetAndDelete),
        new("largest messages into a stream", LargestMessages),
        new("small messages into a stream", SmallMessages),
    ];

    private static void CreateAndDelete(Attack attack)
    {
        while (attack.More)
            attack.MakeStream(attack.AnyStream());
    }

    private static void Update(Attack attack)
    {
        attack.MakeStream(1);
        for (var i = 0; attack.More; i++)
        {
            var storage = """{"name":"H1","subjects":["h.1.>"],"storage":"memory","max_bytes":33554432,"description":""" + $"\"{i}\",\"max_msgs\":{1 + attack.Random.Next(1000)}}}";
            attack.Post("STREAM.UPDATE.H1", storage);
        }
    }

    private static void LargeConfiguration(Attack attack)
    {
        var subjects = string.Join(",", Enumerable.Range(0, 40_000).Select(i => $"\"h.2.{i}.*\""));
        attack.Call("STREAM.DELETE.H2");
        attack.Call("STREAM.CREATE.H2", $$"""{"name":"H2","subjects":[{{subjects}}],"storage":"memory","max_bytes":33554432}""");
        attack.Call("STREAM.CREATE.H2", $$"""{"name":"H2","subjects":["h.2.>"],"description":"{{new string('x', 1_000_000)}}"}""");
        attack.Call("STREAM.DELETE.H2");
    }

    private static void ManyTransforms(Attack attack)
    {
        var transforms = string.Join(",", Enumerable.Range(0, 5000).Select(i => $$"""{"src":"h.0.{{i}}.*","dest":"h.3.{{i}}.{{"{{wildcard(1)}}"}}"}"""));
        attack.Call("STREAM.DELETE.H3");
        attack.Call("STREAM.CREATE.H3", $$"""{"name":"H3","storage":"memory","max_bytes":33554432,"sources":[{"name":"H0","subject_transforms":[{{transforms}}]}]}""");
        attack.Call("STREAM.DELETE.H3");
    }

    private static void Purge(Attack attack)
    {
        var stream = attack.AnyStream();
        attack.MakeStream(stream);
        while (attack.More)
        {
            attack.Fill(stream, 200, 10);
            attack.Post($"STREAM.PURGE.H{stream}", (attack.Random.Next(4)) switch
            {
                0 => """{"seq":18446744073709551615}""",
                1 => $$"""{"filter":"h.{{stream}}.*","keep":{{attack.Random.Next(100)}}}""",
                2 => """{"filter":">"}""",
                _ => "",
            });
        }
    }

    private static void PurgeManySubjects(Attack attack)
    {
        attack.MakeStream(4);
        var text = new StringBuilder();
        for (var i = 0; i < 100_000 && attack.More; i++)
        {
            text.Append(Attack.Frame($"h.4.{i}.{i % 7}", "x"));
            if (i % 1000 != 999)
                continue;
            attack.Send(text.ToString());
            text.Clear();
        }

        for (var i = 0; attack.More; i++)
            attack.Post("STREAM.PURGE.H4", $$"""{"filter":"h.4.*.{{i % 7}}","keep":1}""");
    }

    private static void SnapshotCutOff(Attack attack)
    {
        attack.MakeStream(5);
        attack.Fill(5, 2000, 1000);
        while (attack.More)
        {
            var other = attack.Open();
            other.Send("SUB h.snapshot.> 1\r\n" + Attack.Frame("$JS.API.STREAM.SNAPSHOT.H5", """{"deliver_subject":"h.snapshot.x","chunk_size":1024}""", "_INBOX_H.s"));
            other.TryRead(attack.Random.Next(100), out _);
            if (attack.Random.Next(2) == 0)
                other.Dispose();
        }
    }

    private static void RestoreCutOff(Attack attack)
        => Restore(attack, 6, random =>
        {
            var bytes = new char[random.Next(1, 100_000)];
            for (var i = 0; i < bytes.Length; i++)
                bytes[i] = (char)random.Next(256);
            return new string(bytes);
        }, chunks: 3);

    // The S2 stream identifier, then blocks that say they unpack to 4 MiB and repeat one byte.
    private static void RestoreBomb(Attack attack)
    {
        var block = new StringBuilder("\u0080\u0080\u0080\u0002\u0000a");
        for (var i = 0; i < 20_000; i++)
            block.Append("\u00fe\u0001\u0000");
        var content = block.ToString();
        var length = content.Length + 4;
        var chunk = "\u0000" + (char)(length & 255) + (char)((length >> 8) & 255) + (char)(length >> 16) + "\u0000\u0000\u0000\u0000" + content;
        Restore(attack, LastStream, _ => "\u00ff\u0006\u0000\u0000S2sTwO" + chunk, chunks: 50);
    }

    private static void Restore(Attack attack, int stream, Func<Random, string> chunk, int chunks)
    {
        while (attack.More)
        {
            attack.Call($"STREAM.DELETE.H{stream}");
            var answer = attack.Call($"STREAM.RESTORE.H{stream}", $$"""{"config":{{attack.Stream(stream)}},"state":{"messages":1,"bytes":10,"first_seq":1,"last_seq":1} }""");
            if (answer is null || answer.IndexOf("\"deliver_subject\":\"", StringComparison.Ordinal) is var at && at < 0)
                return;

            var start = at + "\"deliver_subject\":\"".Length;
            var subject = answer[start..answer.IndexOf('"', start)];
            for (var i = 0; i < chunks && attack.More; i++)
                attack.Publish(subject, chunk(attack.Random), "_INBOX_H.restore");
            if (attack.Random.Next(3) == 0)
                attack.Publish(subject, "", "_INBOX_H.restore");
        }
    }

    private static void ListWithOffsets(Attack attack)
    {
        while (attack.More)
        {
            attack.Post(attack.Random.Next(2) == 0 ? "STREAM.LIST" : "STREAM.NAMES", $$"""{"offset":{{attack.Random.NextInt64() - attack.Random.NextInt64()}}}""");
            attack.Post("STREAM.NAMES", """{"subject":"h.>"}""");
            attack.Post($"CONSUMER.LIST.H{attack.AnyStream()}", """{"offset":2147483647}""");
        }
    }

    private static void ApiFlood(Attack attack)
    {
        string[] operations = ["INFO", "STREAM.INFO.H0", "STREAM.NAMES", "CONSUMER.NAMES.H0", "STREAM.DELETE.H1", "CONSUMER.INFO.H0.C", "STREAM.LIST"];
        while (attack.More)
        {
            var text = new StringBuilder();
            for (var i = 0; i < 200; i++)
                text.Append(Attack.Frame("$JS.API." + operations[i % operations.Length], "", "_INBOX_H.flood"));
            attack.Send(text.ToString());
        }
    }

    private static void InfoWithSubjects(Attack attack)
    {
        var stream = attack.AnyStream();
        attack.MakeStream(stream);
        var text = new StringBuilder();
        for (var i = 0; i < 20_000; i++)
            text.Append(Attack.Frame($"h.{stream}.subject.{i}", ""));
        attack.Send(text.ToString());
        while (attack.More)
            attack.Post($"STREAM.INFO.H{stream}", """{"subjects_filter":">","deleted_details":true}""");
    }

    private static void DeepJson(Attack attack)
    {
        var deep = new string('[', 100_000);
        var objects = string.Concat(Enumerable.Repeat("{\"a\":", 50_000));
        for (var i = 0; attack.More; i++)
            attack.Call(i % 2 == 0 ? "STREAM.CREATE.H0" : "CONSUMER.MSG.NEXT.H0.C", i % 3 == 0 ? deep : objects);
    }

    private static void JsonGarbage(Attack attack)
    {
        string[] all =
        [
            "{", "null", "[]", "\"x\"", "{\"name\":1}", "{\"name\":\"H0\",\"max_msgs\":1e400}", "{\"name\":\"H0\",\"name\":\"H1\"}",
            "{\"name\":\"H0\",\"max_age\":-9223372036854775808}", "{\"name\":\"H0\",\"num_replicas\":2147483647}", "\u0000\u00ff",
            "{\"name\":\"H0\",\"duplicate_window\":9223372036854775807}", "{\"name\":\"H0\",\"first_seq\":18446744073709551615}",
        ];
        string[] operations = ["STREAM.CREATE.H0", "STREAM.UPDATE.H0", "CONSUMER.CREATE.H0", "STREAM.PURGE.H0", "STREAM.MSG.GET.H0", "STREAM.SNAPSHOT.H0"];
        for (var i = 0; attack.More; i++)
            attack.Call(operations[i % operations.Length], all[attack.Random.Next(all.Length)]);
    }

    private static void RepublishCircle(Attack attack)
    {
        attack.MakeStream(0, @",""republish"":{""src"":""h.0.>"",""dest"":""h.1.>""}");
        attack.MakeStream(1, @",""republish"":{""src"":""h.1.>"",""dest"":""h.0.>""}");
        for (var i = 0; attack.More; i++)
            attack.Publish($"h.{i % 2}.round", "x");
        attack.Call("STREAM.DELETE.H0");
        attack.Call("STREAM.DELETE.H1");
    }

    private static void SourceCircle(Attack attack)
    {
        attack.MakeStream(2);
        attack.MakeStream(3, @",""sources"":[{""name"":""H2""}]");
        attack.Call("STREAM.UPDATE.H2", attack.Stream(2, @",""sources"":[{""name"":""H3""}]"));
        attack.MakeStream(4, @",""sources"":[{""name"":""H3""},{""name"":""H2"",""filter_subject"":""h.2.a""},{""name"":""H4""}]");
        while (attack.More)
            attack.Fill(2, 1000, 100);
        attack.Call("STREAM.DELETE.H4");
        attack.Call("STREAM.DELETE.H3");
    }

    private static void MirrorChain(Attack attack)
    {
        attack.MakeStream(0);
        for (var i = 1; i < HostileConfiguration.HostileStreams && attack.More; i++)
        {
            attack.Call($"STREAM.DELETE.H{i}");
            attack.Call($"STREAM.CREATE.H{i}", $$$"""{"name":"H{{{i}}}","storage":"memory","max_bytes":16777216,"mirror":{"name":"H{{{i - 1}}}"}}""");
        }

        while (attack.More)
            attack.Fill(0, 1000, 100);
        for (var i = LastStream; i > 0; i--)
            attack.Call($"STREAM.DELETE.H{i}");
    }

    private static void Transforms(Attack attack)
    {
        string[] destinations =
        [
            "h.5.{{wildcard(1)}}.{{wildcard(2)}}", "h.5.{{partition(1000000,1,2)}}", "h.5.{{split(1,-)}}", "h.5.{{slicefromleft(1,1)}}", "h.5.{{left(1,2147483647)}}",
            "h.5.$2.$1", "h.5.{{random(10)}}", "h.5.{{wildcard(99)}}",
        ];
        while (attack.More)
        {
            attack.MakeStream(5, @",""subject_transform"":{""src"":""h.5.*.*"",""dest"":""DEST""}".Replace("DEST", destinations[attack.Random.Next(destinations.Length)], StringComparison.Ordinal));
            for (var i = 0; i < 100; i++)
                attack.Publish($"h.5.{string.Concat(Enumerable.Repeat("a-", 100))}.{i}", "x");
        }
    }

    private static void UnfinishedBatches(Attack attack)
    {
        attack.MakeStream(6, @",""allow_atomic"":true");
        var payload = new string('x', 10_000);
        for (var batch = 0; attack.More; batch++)
        {
            for (var i = 1; i < 1 + attack.Random.Next(50) && attack.More; i++)
                attack.Send(Attack.Frame("h.6.batch", [$"Nats-Batch-Id: {attack.Random.Next()}-{batch}", $"Nats-Batch-Sequence: {i}"], payload, "_INBOX_H.batch"));
        }
    }

    private static void Schedules(Attack attack)
    {
        attack.MakeStream(7, @",""allow_msg_schedules"":true,""allow_msg_ttl"":true");
        string[] all = ["@every 1s", "@at 2030-01-01T00:00:00Z", "@at 1970-01-01T00:00:00Z", "* * * * * *", "@every 1ns", "garbage", "@every 999999h"];
        for (var i = 0; attack.More && i < 20_000; i++)
            attack.Send(Attack.Frame($"h.7.schedule.{i}", [$"Nats-Schedule: {all[i % all.Length]}", $"Nats-Schedule-Target: h.7.target.{i % 10}"], "x", "_INBOX_H.s"));
    }

    private static void Counters(Attack attack)
    {
        attack.MakeStream(0, @",""allow_msg_counter"":true");
        var giant = new string('9', 3000);
        for (var i = 0; attack.More; i++)
            attack.Send(Attack.Frame($"h.0.counter.{i % 5}", [$"Nats-Incr: {(i % 2 == 0 ? "+" : "-")}{giant}"], "", "_INBOX_H.c"));
    }

    private static void MessageLifetimes(Attack attack)
    {
        attack.MakeStream(1, @",""allow_msg_ttl"":true,""subject_delete_marker_ttl"":1000000000,""allow_rollup_hdrs"":true");
        for (var i = 0; attack.More; i++)
            attack.Send(Attack.Frame($"h.1.ttl.{i}", [$"Nats-TTL: {(i % 5 == 0 ? "9223372036854775807" : "1s")}"], "x", "_INBOX_H.t"));
    }

    private static void MessageIds(Attack attack)
    {
        attack.MakeStream(2, @",""duplicate_window"":120000000000");
        for (var i = 0; attack.More; i++)
            attack.Send(Attack.Frame("h.2.id", [$"Nats-Msg-Id: {new string('i', 500)}{attack.Random.NextInt64()}"], "x"));
    }

    private static void ExpectedSequences(Attack attack)
    {
        attack.MakeStream(3);
        for (var i = 0; attack.More; i++)
            attack.Send(Attack.Frame($"h.3.{i}", ["Nats-Expected-Last-Subject-Sequence: 0", "Nats-Expected-Last-Subject-Sequence-Subject: h.3.*"], "x", "_INBOX_H.e"));
    }

    private static void KeyValue(Attack attack)
    {
        attack.MakeStream(4, @",""max_msgs_per_subject"":1,""allow_rollup_hdrs"":true,""deny_delete"":true,""allow_direct"":true");
        for (var i = 0; attack.More; i++)
        {
            var key = $"h.4.key.{attack.Random.Next(20_000)}";
            attack.Send((i % 3) switch
            {
                0 => Attack.Frame(key, ["KV-Operation: DEL"], ""),
                1 => Attack.Frame(key, ["KV-Operation: PURGE", "Nats-Rollup: sub"], ""),
                _ => Attack.Frame(key, new string('v', 100)),
            });
        }
    }

    private static void DirectGets(Attack attack)
    {
        attack.MakeStream(5, @",""allow_direct"":true");
        attack.Fill(5, 2000, 500);
        while (attack.More)
        {
            attack.Publish("$JS.API.DIRECT.GET.H5", """{"batch":10000,"seq":1}""", "_INBOX_H.none");
            attack.Publish("$JS.API.DIRECT.GET.H5", """{"multi_last":["h.5.>"],"batch":2000}""", "h.5.answer");
            attack.Publish("$JS.API.DIRECT.GET.H5", """{"seq":1,"next_by_subj":"h.*.nothing"}""", "_INBOX_H.none");
        }
    }

    private static void GetAndDelete(Attack attack)
    {
        attack.MakeStream(6);
        attack.Fill(6, 5000, 100);
        for (var i = 1; attack.More; i++)
        {
            attack.Post("STREAM.MSG.GET.H6", """{"last_by_subj":"h.6.*"}""");
            attack.Post("STREAM.MSG.DELETE.H6", $$"""{"seq":{{i * 2}}}""");
            attack.Post("STREAM.MSG.GET.H6", """{"seq":1,"next_by_subj":"h.*.nothing"}""");
        }
    }

    private static void LargestMessages(Attack attack)
    {
        var stream = attack.AnyStream();
        attack.MakeStream(stream);
        var frame = Attack.Frame($"h.{stream}.large", new string('x', 1024 * 1024), "_INBOX_H.l");
        while (attack.More)
            attack.Send(frame);
    }

    private static void SmallMessages(Attack attack)
    {
        var stream = attack.AnyStream();
        attack.MakeStream(stream);
        var frames = string.Concat(Enumerable.Range(0, 2000).Select(i => Attack.Frame($"h.{stream}.{i % 100}", "x")));
        while (attack.More)
            attack.Send(frames);
    }
}
