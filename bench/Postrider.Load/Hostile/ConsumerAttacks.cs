using System.Text;

namespace Postrider.Load.Hostile;

/// <summary>Behaviours that use consumers.</summary>
internal static class ConsumerAttacks
{
    public static IEnumerable<Behaviour> All =>
    [
        new("creates and deletes consumers", CreateAndDelete),
        new("a thousand consumers of one stream", ManyConsumers),
        new("consumers with many filters", ManyFilters),
        new("consumers in a circle", Circle),
        new("pulls with long expiry", LongPulls),
        new("pulls of whole streams again and again", GreedyPulls),
        new("pushes to a slow reader", PushToSlowReader),
        new("pushes with heartbeats and flow control", PushWithHeartbeats),
        new("acknowledgements of anything", AnyAcknowledgement),
        new("messages refused again and again", Refuse),
        new("consumers from any start", AnyStart),
        new("ordered consumers that begin again", BeginAgain),
    ];

    private static void CreateAndDelete(Attack attack)
    {
        var stream = Filled(attack, 1000);
        for (var i = 0; attack.More; i++)
        {
            attack.Post($"CONSUMER.DURABLE.CREATE.H{stream}.C{i % 20}", Consumer(stream, $"C{i % 20}"));
            attack.Post($"CONSUMER.DELETE.H{stream}.C{(i + 10) % 20}");
        }
    }

    private static void ManyConsumers(Attack attack)
    {
        var stream = Filled(attack, 100);
        for (var i = 0; attack.More && i < 1200; i++)
            attack.Post($"CONSUMER.DURABLE.CREATE.H{stream}.C{i}", Consumer(stream, $"C{i}", @",""deliver_subject"":""h.pushed"""));
        attack.Send("SUB h.pushed 1\r\n");
        while (attack.More)
            attack.Fill(stream, 10, 10);
        attack.Call($"STREAM.DELETE.H{stream}");
    }

    private static void ManyFilters(Attack attack)
    {
        var stream = Filled(attack, 5000);
        var filters = string.Join(",", Enumerable.Range(0, 20_000).Select(i => $"\"h.{stream}.*.{i}\""));
        attack.Call($"CONSUMER.DURABLE.CREATE.H{stream}.F", Consumer(stream, "F", $@",""filter_subjects"":[{filters}]"));
        while (attack.More)
            attack.Publish($"$JS.API.CONSUMER.MSG.NEXT.H{stream}.F", """{"batch":1000,"no_wait":true}""", "_INBOX_H.filters");
    }

    private static void Circle(Attack attack)
    {
        for (var i = 0; i < 3; i++)
            attack.MakeStream(i);
        for (var i = 0; i < 3; i++)
            attack.Call($"CONSUMER.DURABLE.CREATE.H{i}.C", Consumer(i, "C", $@",""deliver_subject"":""h.{(i + 1) % 3}.round""", policy: "none"));
        attack.Publish("h.0.start", "x");
        attack.Listen(attack.Wire, 1000);
        for (var i = 0; i < 3; i++)
            attack.Call($"STREAM.DELETE.H{i}");
    }

    private static void LongPulls(Attack attack)
    {
        var stream = Filled(attack, 0);
        attack.Call($"CONSUMER.DURABLE.CREATE.H{stream}.P", Consumer(stream, "P", @",""max_waiting"":1000000"));
        for (var number = 0; attack.More && number < 50_000;)
        {
            var text = new StringBuilder();
            for (var i = 0; i < 200; i++)
                text.Append(Attack.Frame($"$JS.API.CONSUMER.MSG.NEXT.H{stream}.P", """{"batch":1000000,"expires":3600000000000}""", $"_INBOX_H.pull.{number++}"));
            attack.Send(text.ToString());
        }
    }

    private static void GreedyPulls(Attack attack)
    {
        var stream = Filled(attack, 5000, 500);
        attack.Call($"CONSUMER.DURABLE.CREATE.H{stream}.G", Consumer(stream, "G", @",""ack_wait"":1000000"));
        attack.Send("SUB _INBOX_H.greedy 5\r\n");
        while (attack.More)
            attack.Publish($"$JS.API.CONSUMER.MSG.NEXT.H{stream}.G", """{"batch":10000,"no_wait":true}""", "_INBOX_H.greedy");
    }

    private static void PushToSlowReader(Attack attack)
    {
        var stream = Filled(attack, 3000, 2000);
        var slow = attack.Open();
        for (var i = 0; i < 10; i++)
            slow.Send($"SUB h.slow.{i} {i}\r\n");
        for (var i = 0; i < 10; i++)
            attack.Call($"CONSUMER.DURABLE.CREATE.H{stream}.S{i}", Consumer(stream, $"S{i}", $@",""deliver_subject"":""h.slow.{i}""", policy: "none"));
        while (attack.More)
            attack.Fill(stream, 500, 2000);
        attack.Call($"STREAM.DELETE.H{stream}");
    }

    private static void PushWithHeartbeats(Attack attack)
    {
        var stream = Filled(attack, 1000, 100);
        attack.Send("SUB h.beat.* 1\r\n");
        for (var i = 0; i < 50; i++)
            attack.Post($"CONSUMER.DURABLE.CREATE.H{stream}.B{i}", Consumer(stream, $"B{i}", $@",""deliver_subject"":""h.beat.{i}"",""flow_control"":true,""idle_heartbeat"":100000000"));
        attack.Listen(attack.Wire, 1000);
        attack.Call($"STREAM.DELETE.H{stream}");
    }

    private static void AnyAcknowledgement(Attack attack)
    {
        var stream = Filled(attack, 100);
        attack.Call($"CONSUMER.DURABLE.CREATE.H{stream}.A", Consumer(stream, "A"));
        string[] bodies = ["+ACK", "-NAK", "+TERM because", "+WPI", "+NXT {\"batch\":1000000}", "-NAK {\"delay\":9223372036854775807}", "+NXT " + new string('[', 1000), "?"];
        while (attack.More)
        {
            var number = attack.Random.NextInt64();
            attack.Publish($"$JS.ACK.H{stream}.A.{attack.Random.Next(5)}.{attack.Random.Next(200)}.{attack.Random.Next(200)}.{number}.0", bodies[attack.Random.Next(bodies.Length)], "_INBOX_H.ack");
            attack.Publish($"$JS.ACK.H{stream}.A.1.{number}.{number}.1.0", bodies[attack.Random.Next(bodies.Length)]);
        }
    }

    private static void Refuse(Attack attack)
    {
        var stream = Filled(attack, 500);
        attack.Call($"CONSUMER.DURABLE.CREATE.H{stream}.N", Consumer(stream, "N"));
        while (attack.More)
        {
            attack.Wire.Send(Attack.Frame($"$JS.API.CONSUMER.MSG.NEXT.H{stream}.N", """{"batch":500,"no_wait":true}""", "h.refused"));
            attack.Send("SUB h.refused 6\r\n");
            while (attack.More && attack.Wire.TryRead(50, out var frame))
            {
                if (frame.ReplyTo.StartsWith("$JS.ACK.", StringComparison.Ordinal))
                    attack.Wire.Send(Attack.Frame(frame.ReplyTo, "-NAK"));
            }
        }
    }

    private static void AnyStart(Attack attack)
    {
        var stream = Filled(attack, 2000);
        for (var i = 0; attack.More; i++)
        {
            attack.Post($"CONSUMER.CREATE.H{stream}.Y{i % 50}", (i % 3) switch
            {
                0 => $$"""{"stream_name":"H{{stream}}","config":{"name":"Y{{i % 50}}","deliver_policy":"by_start_sequence","opt_start_seq":18446744073709551615} }""",
                1 => $$"""{"stream_name":"H{{stream}}","config":{"name":"Y{{i % 50}}","deliver_policy":"by_start_time","opt_start_time":"0001-01-01T00:00:00Z"} }""",
                _ => $$"""{"stream_name":"H{{stream}}","config":{"name":"Y{{i % 50}}","deliver_policy":"last_per_subject","filter_subject":"h.{{stream}}.*"} }""",
            });
        }
    }

    private static void BeginAgain(Attack attack)
    {
        var stream = Filled(attack, 5000, 200);
        attack.Send("SUB h.ordered.* 1\r\n");
        for (var i = 0; attack.More; i++)
        {
            attack.Post($"CONSUMER.CREATE.H{stream}.O{i}", $$"""{"stream_name":"H{{stream}}","config":{"name":"O{{i}}","deliver_subject":"h.ordered.{{i}}","ack_policy":"none","mem_storage":true,"inactive_threshold":1000000} }""");
            attack.Post($"CONSUMER.DELETE.H{stream}.O{i - 1}");
        }
    }

    private static int Filled(Attack attack, int messages, int bytes = 10)
    {
        var stream = attack.AnyStream();
        attack.MakeStream(stream);
        attack.Fill(stream, messages, bytes);
        return stream;
    }

    private static string Consumer(int stream, string name, string more = "", string policy = "explicit")
        => $$"""{"stream_name":"H{{stream}}","config":{"durable_name":"{{name}}","ack_policy":"{{policy}}"{{more}} } }""";
}
