using Postrider.Load.Reports;
using Postrider.Load.Rows;
using Postrider.Load.Runs;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Tables;

/// <summary>Streaming rows over connections inside another protocol, servers in turn, medians.</summary>
internal sealed class BlockingRows(Options options, RowLog log, Sheet sheet)
{
    /// <summary>Measures the rows that are wanted.</summary>
    /// <param name="rows">The rows.</param>
    /// <param name="servers">Running.</param>
    /// <param name="open">Opens a connection to a server.</param>
    public void Measure(IEnumerable<StreamRow> rows, ServerSet servers, Func<ServerProcess, BlockingSocket> open)
    {
        foreach (var row in rows.Where(row => options.Wants(row.Name)))
        {
            if (!log.Try(row.Name, () => Measure(row, servers, open))) sheet.Drop(row.Name);
        }
    }

    private void Measure(StreamRow row, ServerSet servers, Func<ServerProcess, BlockingSocket> open)
    {
        foreach (var server in servers.All) BlockingRun.Measure(row, server, () => open(server), options.Quick ? 0.5 : 1);
        for (var repetition = 0; repetition < options.Repeats; repetition++)
        {
            foreach (var server in servers.Rotated(repetition))
                sheet.Add(row.Name, row.Title, row.PayloadBytes, server.Name, BlockingRun.Measure(row, server, () => open(server), options.Seconds));
        }

        sheet.Target(row.Name, Metric.Throughput, Rule.RatioAtLeast, row.Targets?.Throughput);
        sheet.Target(row.Name, Metric.ServerCpu, Rule.RatioAtLeast, row.Targets?.Cpu);
        log.Write(sheet.Lines(row.Name));
    }
}
