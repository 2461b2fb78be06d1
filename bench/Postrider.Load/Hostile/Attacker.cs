using System.Diagnostics;
using Postrider.Load.Native;

namespace Postrider.Load.Hostile;

/// <summary>The process of the hostile clients: each of them picks a behaviour, and another one when its time is over.</summary>
internal static class Attacker
{
    public const string Verb = "attack";

    private const int LongestMilliseconds = 1500;

    public static IReadOnlyList<Behaviour> Catalogue { get; } =
        [.. CoreAttacks.All, .. StreamAttacks.All, .. ConsumerAttacks.All, .. ForbiddenAttacks.All];

    /// <summary>Attacks until the time is over, deletes the hostile streams, and writes what happened.</summary>
    /// <param name="arguments">Port, port of monitoring, seed, clients, seconds, and a word that the behaviours' names must contain.</param>
    public static int Run(string[] arguments)
    {
        var port = int.Parse(arguments[0]);
        var monitoringPort = int.Parse(arguments[1]);
        var seed = int.Parse(arguments[2]);
        var length = TimeSpan.FromSeconds(double.Parse(arguments[4]));
        var only = Catalogue.Where(behaviour => behaviour.Name.Contains(arguments[5], StringComparison.OrdinalIgnoreCase)).ToArray();
        if (only.Length == 0)
            throw new LoadException($"No behaviour contains '{arguments[5]}'.");

        // The hostile clients stand for other machines: they take what the server and the victim leave of this one (nice 19).
        using (var own = Process.GetCurrentProcess())
            own.PriorityClass = ProcessPriorityClass.Idle;

        var tally = new AttackTally();
        var started = Stopwatch.GetTimestamp();
        var clients = new Thread[int.Parse(arguments[3])];
        for (var i = 0; i < clients.Length; i++)
        {
            var random = new Random(seed + i);
            clients[i] = new Thread(() =>
            {
                while (Stopwatch.GetElapsedTime(started) < length)
                    RunOne(port, monitoringPort, only, random, tally);
            });
            clients[i].Start();
        }

        foreach (var client in clients)
            client.Join();
        Leave(port, monitoringPort);
        tally.Write(Console.Out);
        return 0;
    }

    private static void RunOne(int port, int monitoringPort, Behaviour[] all, Random random, AttackTally tally)
    {
        var behaviour = all[random.Next(all.Length)];
        using var attack = new Attack(port, monitoringPort, random, TimeSpan.FromMilliseconds(random.Next(200, LongestMilliseconds)));
        var ended = false;
        try
        {
            behaviour.Run(attack);
            if (attack.More)
                Pause.Milliseconds(10);
        }
        catch (Exception e) when (Attack.IsExpected(e))
        {
            ended = true;
            Pause.Milliseconds(10);
        }

        tally.Add(behaviour, attack, ended);
    }

    private static void Leave(int port, int monitoringPort)
    {
        using var attack = new Attack(port, monitoringPort, new Random(0), TimeSpan.FromSeconds(20));
        try
        {
            for (var stream = 0; stream < HostileConfiguration.HostileStreams; stream++)
                attack.Call($"STREAM.DELETE.H{stream}");
        }
        catch (Exception e) when (Attack.IsExpected(e))
        {
            Console.Error.WriteLine($"The hostile streams are not deleted: {e.Message}");
        }
    }
}
