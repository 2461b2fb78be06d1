namespace Postrider.Load.Hostile;

/// <summary>Behaviours that the permissions forbid: each must be refused.</summary>
internal static class ForbiddenAttacks
{
    private const string Victim = HostileConfiguration.VictimStream;

    public static IEnumerable<Behaviour> All =>
    [
        new("reads the victim's subjects", ReadVictim),
        new("reads what the server says to others", ReadSystem),
        new("publishes on the victim's subjects", PublishAsVictim),
        new("forges acknowledgements", ForgeAcknowledgements),
        new("uses the victim's stream", UseVictimStream),
        new("reads the victim's messages", ReadVictimStream),
    ];

    private static void ReadVictim(Attack attack)
    {
        string[] all = ["v.core", "v.>", ">", "*.core", "*.*", "v.*", "_INBOX_V.>", "_INBOX_V.r", "*.>", "v.service group", "> group", "_INBOX_V.*.*"];
        for (var sid = 0; attack.More; sid++)
        {
            attack.Send($"SUB {all[sid % all.Length]} {sid}\r\n");
            attack.Listen(attack.Wire, 20);
        }
    }

    private static void ReadSystem(Attack attack)
    {
        string[] all = ["$SYS.>", "$JS.>", "$JS.EVENT.>", "$JS.API.>", "$JS.ACK.>", "$JS.ACK.V.>", "$JS.FC.>", "$SYS.REQ.USER.INFO"];
        for (var sid = 0; attack.More; sid++)
        {
            attack.Send($"SUB {all[sid % all.Length]} {sid}\r\n");
            attack.Listen(attack.Wire, 20);
        }
    }

    private static void PublishAsVictim(Attack attack)
    {
        string[] all = ["v.core", "v.stream", "v.service", "_INBOX_V.r", "_INBOX_V.a.1", "_INBOX_V.p.1", "V", "v"];
        for (var i = 0; attack.More; i++)
        {
            attack.Publish(all[i % all.Length], "forged");
            if (i % 100 == 0)
                attack.Listen(attack.Wire, 20);
        }
    }

    private static void ForgeAcknowledgements(Attack attack)
    {
        string[] bodies = ["+ACK", "-NAK", "+TERM", "+WPI", "+NXT", ""];
        for (var i = 0; attack.More; i++)
        {
            attack.Publish($"$JS.ACK.{Victim}.C.1.{attack.Random.Next(100_000)}.{attack.Random.Next(100_000)}.1.0", bodies[i % bodies.Length]);
            attack.Publish($"$JS.ACK._.x.{Victim}.C.1.{i}.{i}.1.0.y", bodies[i % bodies.Length]);
        }
    }

    private static void UseVictimStream(Attack attack)
    {
        attack.MustBeRefused($"$JS.API.STREAM.PURGE.{Victim}", "");
        attack.MustBeRefused($"$JS.API.STREAM.DELETE.{Victim}", "");
        attack.MustBeRefused($"$JS.API.STREAM.UPDATE.{Victim}", $$"""{"name":"{{Victim}}","subjects":["v.stream"],"max_msgs":1}""");
        attack.MustBeRefused($"$JS.API.STREAM.MSG.DELETE.{Victim}", """{"seq":1}""");
        attack.MustBeRefused($"$JS.API.CONSUMER.DELETE.{Victim}.C", "");
        attack.MustBeRefused($"$JS.API.STREAM.RESTORE.{Victim}", "{}");
        // The subject names the hostile stream, the payload another one.
        attack.MustBeRefused("$JS.API.STREAM.UPDATE.H0", $$"""{"name":"{{Victim}}","subjects":["v.stream"],"max_msgs":1}""");
        attack.MustBeRefused("$JS.API.CONSUMER.CREATE.H0", $$"""{"stream_name":"{{Victim}}","config":{"durable_name":"X","ack_policy":"none"} }""");
        attack.MustBeRefused("$JS.API.CONSUMER.DURABLE.CREATE.H0.X", $$"""{"stream_name":"{{Victim}}","config":{"durable_name":"X","ack_policy":"none"} }""");
    }

    private static void ReadVictimStream(Attack attack)
    {
        attack.MustBeRefused($"$JS.API.STREAM.MSG.GET.{Victim}", """{"seq":1}""");
        attack.MustBeRefused($"$JS.API.DIRECT.GET.{Victim}", """{"seq":1}""");
        attack.MustBeRefused($"$JS.API.CONSUMER.MSG.NEXT.{Victim}.C", """{"batch":1,"no_wait":true}""");
        attack.MustBeRefused($"$JS.API.STREAM.SNAPSHOT.{Victim}", """{"deliver_subject":"h.snapshot"}""");
        attack.MustBeRefused($"$JS.API.CONSUMER.CREATE.{Victim}.X", $$"""{"stream_name":"{{Victim}}","config":{"name":"X","deliver_subject":"h.x"} }""");
    }
}
