using System.Globalization;
using Microsoft.Extensions.Logging;
using Postrider.Broker.JetStream.Logging;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The progress of the recovery of streams, and the problems found.</summary>
/// <remarks>Thread-safe; <c>_gate</c> guards everything and is held for a few instructions.</remarks>
internal sealed class RecoveryProgress(TimeProvider time, ILogger logger)
{
    // Often enough to show progress, rarely enough for a log.
    private static readonly TimeSpan LogInterval = TimeSpan.FromSeconds(5);

    // All of them are logged; this many are shown in one line of monitoring.
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

    /// <summary>The number of streams found so far.</summary>
    public int Found => Volatile.Read(ref _found);

    /// <summary>The number of streams recovered so far.</summary>
    public int Done => Volatile.Read(ref _done);

    /// <summary>The number of streams and consumers that could not be recovered.</summary>
    public int Problems
    {
        get
        {
            lock (_gate) return _problems.Count;
        }
    }

    /// <summary>The number of losses found in streams that are served.</summary>
    public int Warnings
    {
        get
        {
            lock (_gate) return _warnings.Count;
        }
    }

    /// <summary>The losses, in one line; null when there are none.</summary>
    public string? DescribeWarnings()
    {
        lock (_gate) return _warnings.Count == 0 ? null : Join([.. _warnings.Select(static warning => warning.Text)]);
    }

    /// <summary>The progress while streams are recovered, then those that could not be recovered; null when there is nothing to report.</summary>
    public string? Describe()
    {
        lock (_gate)
        {
            if (!_isOver) return DescribeState();
            return _problems.Count == 0 ? null : Join(_problems);
        }
    }

    /// <summary>Adds to the number of streams found.</summary>
    public void Expect(int streams)
    {
        lock (_gate) _found += streams;
    }

    /// <summary>The recovery of a stream begins.</summary>
    public void Begin(string stream)
    {
        lock (_gate) (_current, _blocks, _blocksDone) = (stream, 0, 0);
    }

    /// <summary>Reports how many of the stream's blocks have been read.</summary>
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

    /// <summary>The recovery of the stream has ended or failed.</summary>
    public void End()
    {
        lock (_gate) _done++;
    }

    /// <summary>The recovery of all streams has ended.</summary>
    public void Complete()
    {
        lock (_gate) _isOver = true;
    }

    /// <summary>Adds a stream or consumer that could not be recovered.</summary>
    public void AddProblem(string problem)
    {
        lock (_gate) _problems.Add(problem);
    }

    /// <summary>Adds a loss in a stream that is served.</summary>
    /// <param name="account">The stream's account.</param>
    /// <param name="stream">The stream's name.</param>
    /// <param name="text">A description for operators.</param>
    public void AddWarning(string account, string stream, string text)
    {
        lock (_gate) _warnings.Add(($"{account} > {stream}", text));
    }

    /// <summary>Removes the losses of a stream that was deleted.</summary>
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
