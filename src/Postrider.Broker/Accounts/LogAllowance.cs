namespace Postrider.Broker.Accounts;

/// <summary>How many lines the clients of one account may cause in the log: a client could fill the disk with its errors.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class LogAllowance
{
    /// <summary>The maximum number of lines in a second.</summary>
    public const int LinesPerSecond = 20;

    private readonly Lock _gate = new();
    private long _second = long.MinValue;
    private long _lines;

    /// <summary>Takes one line of the current second.</summary>
    /// <param name="time">The broker's clock.</param>
    /// <param name="isFirstOmitted">Whether this is the first line of this second that is omitted.</param>
    /// <returns>Whether to write the line.</returns>
    public bool TryTake(TimeProvider time, out bool isFirstOmitted)
    {
        var second = time.GetTimestamp() / time.TimestampFrequency;
        lock (_gate)
        {
            if (second != _second) (_second, _lines) = (second, 0);
            _lines++;
            isFirstOmitted = _lines == LinesPerSecond + 1;
            return _lines <= LinesPerSecond;
        }
    }
}
