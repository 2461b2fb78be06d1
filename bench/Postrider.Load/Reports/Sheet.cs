namespace Postrider.Load.Reports;

/// <summary>Collects the repetitions of one table and turns them into result lines.</summary>
/// <param name="table">The table's name in JSON lines.</param>
/// <param name="ours">The subject that is judged.</param>
/// <param name="peer">What it is judged by.</param>
internal sealed class Sheet(string table, string ours, string peer)
{
    private readonly List<(string Row, string Title, int? Bytes, Metric Metric, string Server)> _order = [];
    private readonly Dictionary<(string Row, string Unit, string Server), List<double>> _values = [];
    private readonly Dictionary<(string Row, string Unit), (double Target, Rule Rule)> _targets = [];

    public void Add(string row, string title, int? bytes, Metric metric, string server, double value)
    {
        var key = (row, metric.Unit, server);
        if (!_values.TryGetValue(key, out var values))
        {
            _values[key] = values = [];
            _order.Add((row, title, bytes, metric, server));
        }

        values.Add(value);
    }

    /// <summary>Adds what every run of traffic gives: rates and CPU time per message.</summary>
    public void Add(string row, string title, int bytes, string server, Runs.StreamResult result)
    {
        Add(row, title, bytes, Metric.Throughput, server, result.PerSecond);
        Add(row, title, bytes, Metric.Megabytes, server, result.PerSecond * bytes / 1e6);
        Add(row, title, bytes, Metric.ServerCpu, server, result.ServerNanosecondsPerMessage);
        Add(row, title, bytes, Metric.LoadCpu, server, result.LoadNanosecondsPerMessage);
    }

    /// <summary>Forgets a row: a failed one shall leave no half of its figures.</summary>
    public void Drop(string row) => _order.RemoveAll(entry => entry.Row == row);

    public void Target(string row, Metric metric, Rule rule, double? target)
    {
        if (target is { } number)
            _targets[(row, metric.Unit)] = (number, rule);
    }

    /// <summary>Sets what a row of traffic must reach; nothing without targets.</summary>
    public void Target(string row, Rows.Targets? targets)
    {
        Target(row, Metric.Throughput, Rule.RatioAtLeast, targets?.Throughput);
        Target(row, Metric.ServerCpu, Rule.RatioAtLeast, targets?.Cpu);
        Target(row, Metric.P50, Rule.RatioAtMost, targets?.P50);
        Target(row, Metric.P99, Rule.RatioAtMost, targets?.P99);
    }

    /// <summary>The lines of one row, or of all rows when <paramref name="row"/> is null.</summary>
    public IReadOnlyList<ResultLine> Lines(string? row = null)
        => [.. _order.Where(entry => row is null || entry.Row == row).Select(entry => Line(entry.Row, entry.Title, entry.Bytes, entry.Metric, entry.Server))];

    private ResultLine Line(string row, string title, int? bytes, Metric metric, string server)
    {
        var own = Summary.Of(_values[(row, metric.Unit, server)]);
        var line = new ResultLine
        {
            Table = table,
            Row = row,
            Title = title,
            Subject = server,
            Unit = metric.Unit,
            Bytes = bytes,
            Value = Round(own.Median),
            Min = Round(own.Min),
            Max = Round(own.Max),
            Spread = Math.Round(own.Spread, 3),
            N = own.Count,
        };
        if (server != ours)
            return line;

        double? ratio = null;
        if (_values.TryGetValue((row, metric.Unit, peer), out var theirs))
        {
            var other = Summary.Of(theirs).Median;
            ratio = metric.RatioOf(own.Median, other);
            line = line with { Peer = peer, PeerValue = Round(other), Ratio = ratio is { } r ? Math.Round(r, 3) : null };
        }

        if (!_targets.TryGetValue((row, metric.Unit), out var target))
            return line;

        bool? holds = target.Rule switch
        {
            Rule.ValueAtMost => own.Median <= target.Target,
            Rule.RatioAtLeast => ratio is { } r ? r >= target.Target : null,
            _ => ratio is { } r ? r <= target.Target : null,
        };
        return line with { Target = target.Target, Rule = target.Rule, Holds = holds };
    }

    // Four significant digits: no run is better than that.
    private static double Round(double value)
    {
        if (value == 0 || !double.IsFinite(value))
            return value;
        var scale = Math.Pow(10, 3 - Math.Floor(Math.Log10(Math.Abs(value))));
        return Math.Round(Math.Round(value * scale) / scale, 6);
    }
}
