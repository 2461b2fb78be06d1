using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Streams;

/// <summary>How far the reading of streams has come, and what could not be read.</summary>
/// <remarks>Thread-safe; <c>_gate</c> guards everything and is held for a few instructions.</remarks>
internal sealed class RecoveryProgress(TimeProvider time, ILogger logger)
{
    // Often enough to see that it moves, seldom enough for a log.
    private static readonly TimeSpan LogInterval = TimeSpan.FromSeconds(5);

    // Every one is in the log; this many are shown in one line of monitoring.
    private const int MostShown = 3;

    private readonly Lock _gate = new();
    private readonly List<string> _problems = [];
    private long _loggedAt = time.GetTimestamp();
    private string _current = "";
    private int _found;
    private int _done;
    private int _blocks;
    private int _blocksDone;
    private bool _isOver;

    /// <summary>Streams found so far.</summary>
    public int Found => Volatile.Read(ref _found);

    /// <summary>Streams read so far.</summary>
    public int Done => Volatile.Read(ref _done);

    /// <summary>Streams and consumers that could not be read.</summary>
    public int Problems
    {
        get
        {
            lock (_gate) return _problems.Count;
        }
    }

    /// <summary>What is to be said while streams are read, or about those that could not be; null when all is well.</summary>
    public string? Describe()
    {
        lock (_gate)
        {
            if (!_isOver) return DescribeState();
            if (_problems.Count == 0) return null;
            var more = _problems.Count > MostShown ? string.Create(CultureInfo.InvariantCulture, $"; {_problems.Count - MostShown} more") : "";
            return string.Join("; ", _problems.Take(MostShown)) + more;
        }
    }

    /// <summary>So many more streams are there.</summary>
    public void Expect(int streams)
    {
        lock (_gate) _found += streams;
    }

    /// <summary>A stream is being read.</summary>
    public void Begin(string stream)
    {
        lock (_gate) (_current, _blocks, _blocksDone) = (stream, 0, 0);
    }

    /// <summary>So many of its blocks are read.</summary>
    public void Advance(int done, int all)
    {
        string? line = null;
        lock (_gate)
        {
            (_blocksDone, _blocks) = (done, all);
            if (time.GetElapsedTime(_loggedAt) >= LogInterval)
            {
                _loggedAt = time.GetTimestamp();
                line = DescribeState();
            }
        }
        if (line is not null) StreamLog.Recovering(logger, line);
    }

    /// <summary>The stream is read, or given up.</summary>
    public void End()
    {
        lock (_gate) _done++;
    }

    /// <summary>Every stream is read.</summary>
    public void Complete()
    {
        lock (_gate) _isOver = true;
    }

    /// <summary>Something could not be read.</summary>
    public void AddProblem(string problem)
    {
        lock (_gate) _problems.Add(problem);
    }

    /// <summary>What could not be read was removed or replaced by people.</summary>
    public void RemoveProblems(Predicate<string> which)
    {
        lock (_gate) _problems.RemoveAll(which);
    }

    private string DescribeState()
    {
        var blocks = _blocks == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $" ({_blocksDone} of {_blocks} blocks)");
        var current = _current.Length == 0 ? "" : $", reading '{_current}'{blocks}";
        return string.Create(CultureInfo.InvariantCulture, $"JetStream is recovering: {_done} of {_found} streams{current}");
    }
}
