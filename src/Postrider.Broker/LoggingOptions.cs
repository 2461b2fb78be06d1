namespace Postrider.Broker;

/// <summary>What is logged and how. The switches decide which lines the broker writes; the rest is for the program that
/// turns them into text.</summary>
public sealed record LoggingOptions
{
    /// <summary>Logs connections coming and going and other details.</summary>
    public bool Debug { get; set; }

    /// <summary>Logs every protocol line.</summary>
    public bool Trace { get; set; }

    /// <summary>Logs the protocol lines of the system account too.</summary>
    public bool TraceVerbose { get; set; }

    /// <summary>Logs only the headers of messages, not their payloads.</summary>
    public bool TraceHeaders { get; set; }

    /// <summary>Longest payload shown in a traced line, in bytes; zero shows all.</summary>
    public int MaxTracedMessageLength { get; set; }

    /// <summary>File to log to instead of the standard error stream.</summary>
    public string? File { get; set; }

    /// <summary>Size in bytes at which the log file is rotated; zero never rotates.</summary>
    public long FileSizeLimitBytes { get; set; }

    /// <summary>Log files kept after a rotation, the current one included; zero keeps all.</summary>
    public int MaxFiles { get; set; }

    /// <summary>Begins each line with its time.</summary>
    public bool Time { get; set; } = true;

    /// <summary>Writes times in UTC instead of the machine's zone.</summary>
    public bool TimeInUtc { get; set; }
}
