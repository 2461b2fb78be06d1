using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Reports;
using Postrider.Load.Runs;
using Postrider.Load.Servers;

namespace Postrider.Load.Hostile;

/// <summary>A victim's load, alone and then beside hostile clients: its latencies, its data, and the server's memory.</summary>
/// <remarks>A run fails when the victim loses a message or gets one twice or altered, when the hostile clients get what
/// their permissions forbid, or when the server's memory exceeds the bound. The latencies are reported, not judged. The
/// victim fills the server in both phases, so that the machine has no rest in either of them; the hostile clients are a
/// process of the lowest priority, which leaves the others' time to them. What is compared is what the server does with its own.</remarks>
internal sealed class HostileTable(Options options, RowLog log)
{
    public const string Name = "broker-hostile";

    private const double WarmUpSeconds = 3;
    private const double LeavingSeconds = 10;
    private const double SettleSeconds = 60;
    private const double EachSeconds = 2;

    private static readonly Metric Longest = new("longest us", "longest µs");
    private static readonly Metric Count = new("count", "count");
    private static readonly Metric Share = new("rate ratio", "rate beside / alone");
    private static readonly Metric Ratio = new("P99 ratio", "P99 beside / alone");

    // At most: with processors of their own the hostile clients take no processor from the server.
    private const double RatioTarget = 2;

    private readonly Sheet _sheet = new(Name, ServerSpec.Ours, ServerSpec.Peer);

    public IReadOnlyList<ResultLine> Run()
    {
        log.Say($"seed {options.Seed}, {options.Clients} hostile clients, {Attacker.Catalogue.Count} behaviours, {options.Minutes} minutes, memory at most {options.MemoryMegabytes} MB");
        foreach (var spec in options.Servers)
            log.Try(spec.Name, () => Measure(spec));
        log.Write(_sheet.Lines());
        return _sheet.Lines();
    }

    private void Measure(ServerSpec spec)
    {
        var monitoringPort = ServerProcess.FreePort();
        using var set = Start(spec, monitoringPort);
        var server = set.All[0];
        log.Say($"{server.Name} {server.Version}: process {server.Id}, port {server.Port}");

        using var victim = new Victim(server.Port, options.VictimLoad, !options.LeavesRest);
        victim.Start();
        var memory = new MemoryWatch(server);
        memory.Wait(WarmUpSeconds, victim);
        victim.Take();
        var aloneShares = new CpuShares(server, victim);
        memory.Wait(Math.Clamp(options.Minutes * 60 / 4, 10, 60), victim);
        var alone = victim.Take();
        var alonePerSecond = Report(server, "alone", alone, aloneShares);
        var aloneMemory = memory.TakeHighest();

        if (options.Each)
        {
            RunEach(server, monitoringPort, victim, memory);
            return;
        }

        if (options.Control)
            MeasureControl(spec, victim, memory, alone);

        var (beside, besidePerSecond, lines) = Attack(server, monitoringPort, "beside hostile clients", victim, memory);
        var besideMemory = memory.TakeHighest();
        var endMemory = memory.Now;
        memory.Wait(LeavingSeconds, victim);
        victim.Settle(TimeSpan.FromSeconds(SettleSeconds));
        Compare(server, "", alone, beside);

        if (alonePerSecond > 0)
        {
            log.Say($"  bulk       {besidePerSecond / alonePerSecond:F2} of the messages per second of the victim alone");
            _sheet.Add("bulk", "the victim's other messages: what is left of them", null, Share, server.Name, besidePerSecond / alonePerSecond);
        }

        var after = memory.Now;
        log.Say($"  RSS alone {aloneMemory:F0} MB, highest beside {besideMemory:F0} MB, at their end {endMemory:F0} MB, {LeavingSeconds} s later {after:F0} MB");
        _sheet.Add("memory-alone", "victim alone, highest", null, Metric.Resident, server.Name, aloneMemory);
        _sheet.Add("memory-beside", "beside hostile clients, highest", null, Metric.Resident, server.Name, besideMemory);
        _sheet.Add("memory-end", "when the hostile clients leave", null, Metric.Resident, server.Name, endMemory);
        _sheet.Add("memory-after", "ten seconds later", null, Metric.Resident, server.Name, after);
        Judge(server, victim, lines, besideMemory);
    }

    private ServerSet Start(ServerSpec spec, int monitoringPort)
        => ServerSet.Start([spec.WithStreams().WithConfiguration()], options.StoreFolder,
            (_, folder) => folder.WriteConfiguration(HostileConfiguration.Text(monitoringPort)));

    private T OnOthers<T>(Func<T> start) => options.Processors is { } processors ? processors.StartOnSecond(start) : start();

    // The processors that both servers, the victim and the hostile clients take from each other, without a server in common.
    private void MeasureControl(ServerSpec spec, Victim victim, MemoryWatch memory, IReadOnlyList<LaneFigures> alone)
    {
        var monitoringPort = ServerProcess.FreePort();
        using var set = OnOthers(() => Start(spec, monitoringPort));
        var (elsewhere, _, _) = Attack(set.All[0], monitoringPort, "hostile clients elsewhere", victim, memory);
        Compare(set.All[0], "elsewhere", alone, elsewhere);
    }

    private (IReadOnlyList<LaneFigures> Lanes, double BulkPerSecond, string[] Lines) Attack(
        ServerProcess attacked, int monitoringPort, string phase, Victim victim, MemoryWatch memory)
    {
        victim.Take();
        using var attackers = OnOthers(() => new AttackProcess(attacked.Port, monitoringPort, options, options.Behaviour, options.Minutes * 60));
        var said = Stopwatch.GetTimestamp();
        var shares = new CpuShares(attacked, victim);
        while (!attackers.HasEnded)
        {
            memory.Wait(0.2, victim);
            shares.Look(attackers);
            if (Stopwatch.GetElapsedTime(said).TotalSeconds < 30)
                continue;
            said = Stopwatch.GetTimestamp();
            log.Say($"  RSS {memory.Now:F0} MB, highest {memory.Highest:F0} MB; victim: {victim.Damage()}");
        }

        var lanes = victim.Take();
        return (lanes, Report(attacked, phase, lanes, shares), attackers.Lines());
    }

    private void Compare(ServerProcess server, string where, IReadOnlyList<LaneFigures> alone, IReadOnlyList<LaneFigures> beside)
    {
        var suffix = where.Length > 0 ? $", hostile clients {where}" : "";
        for (var lane = 0; lane < alone.Count; lane++)
        {
            var ratio = beside[lane].Figures.P99 / alone[lane].Figures.P99;
            log.Say($"  {alone[lane].Name,-10} P99 {ratio:F2} times that of the victim alone{suffix}");
            var row = $"{alone[lane].Name} {where}".TrimEnd();
            _sheet.Add(row, alone[lane].Title + suffix, null, Ratio, server.Name, ratio);
            if (options.Separate && where.Length == 0)
                _sheet.Target(row, Ratio, Rule.ValueAtMost, RatioTarget);
        }
    }

    // Which of them costs the victim what: one behaviour after another, all clients with the same.
    private void RunEach(ServerProcess server, int monitoringPort, Victim victim, MemoryWatch memory)
    {
        foreach (var behaviour in Attacker.Catalogue.Where(behaviour => behaviour.Name.Contains(options.Behaviour, StringComparison.OrdinalIgnoreCase)))
        {
            victim.Take();
            memory.TakeHighest();
            var shares = new CpuShares(server, victim);
            using (var attackers = OnOthers(() => new AttackProcess(server.Port, monitoringPort, options, behaviour.Name, EachSeconds)))
            {
                while (!attackers.HasEnded)
                {
                    memory.Wait(0.1, victim);
                    shares.Look(attackers);
                }
            }

            var lanes = string.Join("  ", victim.Take().Select(lane => $"{lane.Name} {lane.Figures.P99 / 1000,7:F1}"));
            log.Say($"  {behaviour.Name,-40} P99 ms: {lanes}  RSS {memory.Highest,5:F0} MB  {shares}");
        }

        log.Say($"  victim: {victim.Damage()}");
    }

    private double Report(ServerProcess server, string phase, IReadOnlyList<LaneFigures> lanes, CpuShares shares)
    {
        var perSecond = shares.BulkPerSecond;
        log.Say($"  {phase}: {shares}");
        foreach (var (name, title, figures) in lanes)
        {
            log.Say($"  {name,-10} {phase,-23} {figures.Count,9} P50 {figures.P50,9:F0} µs  P99 {figures.P99,9:F0} µs  longest {figures.Max,9:F0} µs");
            var row = $"{name} {phase}";
            _sheet.Add(row, $"{title}, {phase}", null, Metric.P50, server.Name, figures.P50);
            _sheet.Add(row, $"{title}, {phase}", null, Metric.P99, server.Name, figures.P99);
            _sheet.Add(row, $"{title}, {phase}", null, Longest, server.Name, figures.Max);
        }

        return perSecond;
    }

    private void Judge(ServerProcess server, Victim victim, string[] lines, double highest)
    {
        foreach (var line in lines.Where(line => line.StartsWith(AttackTally.RunLine, StringComparison.Ordinal)))
            log.Say("    " + line[AttackTally.RunLine.Length..]);
        var leaks = lines.Where(line => line.StartsWith(AttackTally.LeakLine, StringComparison.Ordinal)).ToArray();
        var refused = lines.First(line => line.StartsWith(AttackTally.RefusedLine, StringComparison.Ordinal))[AttackTally.RefusedLine.Length..];
        log.Say($"  victim: {victim.FinalDamage()}; {leaks.Length} leaks, {refused} refusals were said");
        foreach (var leak in leaks.Take(20))
            log.Say("    " + leak);

        var damage = victim.DamageTotal;
        _sheet.Add("damage", "the victim's messages lost, doubled or altered", null, Count, server.Name, damage);
        _sheet.Add("leaks", "what the permissions forbid and was allowed", null, Count, server.Name, leaks.Length);
        if (damage > 0)
            throw new LoadException($"The victim's data: {victim.FinalDamage()}.");
        if (leaks.Length > 0)
            throw new LoadException($"{leaks.Length} times the hostile clients were allowed what their permissions forbid.");
        if (highest > options.MemoryMegabytes)
            throw new LoadException($"Resident memory of {highest:F0} MB exceeds the bound of {options.MemoryMegabytes} MB.");
    }
}
