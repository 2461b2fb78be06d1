using System.Globalization;
using Microsoft.Extensions.Logging;
using Postrider.Broker.JetStream.Logging;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>How far the reading of streams has come, and what could not be read.</summary>
/// <remarks>Thread-safe; <c>_gate</c> guards everything and is held for a few instructions.</remarks>
internal sealed class RecoveryProgress(TimeProvider time, ILogger logger)
{
    // Often enough to see that it moves, seldom enough for a log.
    private static readonly TimeSpan LogInterval = TimeSpan.FromSeconds(5);

    // Every one is in the log; this many are shown in one line of monitoring.
    private const int MaxShown = 3;

    private readonly Lock _gate = new();
    private readonly List<string> _problems = [];
    private readonly List<(string Stream, string Text)> _warnings = [];
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

    /// <summary>Losses that were found; what is left is served.</summary>
    public int Warnings
    {
        get
        {
            lock (_gate) return _warnings.Count;
        }
    }

    /// <summary>What was lost, in one line; null when nothing is known to be.</summary>
    public string? DescribeWarnings()
    {
        lock (_gate) return _warnings.Count == 0 ? null : Join([.. _warnings.Select(static warning => warning.Text)]);
    }

    /// <summary>What is to be said while streams are read, or about those that could not be; null when all is well.</summary>
    public string? Describe()
    {
        lock (_gate)
        {
            if (!_isOver) return DescribeState();
            return _problems.Count == 0 ? null : Join(_problems);
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

    /// <summary>Something was lost, and what is left is served.</summary>
    /// <param name="account">The stream's account.</param>
    /// <param name="stream">The stream that it is about.</param>
    /// <param name="text">For people.</param>
    public void AddWarning(string account, string stream, string text)
    {
        lock (_gate) _warnings.Add(($"{account} > {stream}", text));
    }

    /// <summary>The stream was deleted: its losses do not matter any more.</summary>
    public void Remove(string account, string stream)
    {
        lock (_gate)
        {
            _warnings.RemoveAll(warning => warning.Stream == $"{account} > {stream}");
            _problems.RemoveAll(problem => problem.StartsWith($"JetStream stream '{account} > {stream}' ", StringComparison.Ordinal));
        }
    }

    private static string Join(List<string> lines)
    {
        var more = lines.Count > MaxShown ? string.Create(CultureInfo.InvariantCulture, $"; {lines.Count - MaxShown} more") : "";
        return string.Join("; ", lines.Take(MaxShown)) + more;
    }

    private string DescribeState()
    {
        var blocks = _blocks == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $" ({_blocksDone} of {_blocks} blocks)");
        var current = _current.Length == 0 ? "" : $", reading '{_current}'{blocks}";
        return string.Create(CultureInfo.InvariantCulture, $"JetStream is recovering: {_done} of {_found} streams{current}");
    }
}
