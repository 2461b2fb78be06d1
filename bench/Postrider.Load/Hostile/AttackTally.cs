namespace Postrider.Load.Hostile;

/// <summary>What the hostile clients did and got, written to the process that started them line by line.</summary>
internal sealed class AttackTally
{
    public const string LeakLine = "leak ";
    public const string RefusedLine = "refused ";
    public const string RunLine = "run ";

    // Guards the fields below.
    private readonly Lock _lock = new();
    private readonly SortedDictionary<string, (int Runs, int Ended)> _behaviours = new(StringComparer.Ordinal);
    private readonly List<string> _leaks = [];
    private long _refused;

    /// <param name="behaviour">What was done.</param>
    /// <param name="attack">How it went.</param>
    /// <param name="ended">Whether the server ended the connection or took no more.</param>
    public void Add(Behaviour behaviour, Attack attack, bool ended)
    {
        lock (_lock)
        {
            var (runs, broken) = _behaviours.GetValueOrDefault(behaviour.Name);
            _behaviours[behaviour.Name] = (runs + 1, broken + (ended ? 1 : 0));
            _refused += attack.Refused;
            _leaks.AddRange(attack.Leaks.Take(10).Select(leak => $"{behaviour.Name}: {leak}"));
        }
    }

    public void Write(TextWriter output)
    {
        lock (_lock)
        {
            foreach (var (name, (runs, ended)) in _behaviours)
                output.WriteLine($"{RunLine}{name}: {runs} times, ended by the server {ended} times");
            output.WriteLine($"{RefusedLine}{_refused}");
            foreach (var leak in _leaks)
                output.WriteLine(LeakLine + leak.ReplaceLineEndings(" "));
        }
    }
}
