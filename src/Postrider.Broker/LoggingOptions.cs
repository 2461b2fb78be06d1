namespace Postrider.Broker;

/// <summary>Logging options. The switches select the lines that the broker logs; the others are for the program that
/// writes them.</summary>
public sealed record LoggingOptions
{
    /// <summary>Logs opened and closed connections and other details.</summary>
    public bool Debug { get; set; }

    /// <summary>Logs every protocol line.</summary>
    public bool Trace { get; set; }

    /// <summary>Logs the protocol lines of the system account too.</summary>
    public bool TraceVerbose { get; set; }

    /// <summary>Logs only the headers of messages, not their payloads.</summary>
    public bool TraceHeaders { get; set; }

    /// <summary>Maximum number of payload bytes in a traced line; zero for no limit.</summary>
    public int MaxTracedMessageLength { get; set; }

    /// <summary>File to log to instead of the standard error stream.</summary>
    public string? File { get; set; }

    /// <summary>Whether to log to the system's log instead of the standard error stream. A file or a remote log takes precedence.</summary>
    public bool Syslog { get; set; }

    /// <summary>The address of a log to send lines to by RFC 3164, such as <c>udp://logs.example.org:514</c>, <c>tcp://…</c> or
    /// <c>unix:///dev/log</c>; a file takes precedence.</summary>
    public string? RemoteSyslog { get; set; }

    /// <summary>Size in bytes at which the log file is rotated; zero never rotates.</summary>
    public long FileSizeLimitBytes { get; set; }

    /// <summary>Number of log files kept after a rotation, including the current one; zero keeps all.</summary>
    public int MaxFiles { get; set; }

    /// <summary>Whether each line starts with its time.</summary>
    public bool Time { get; set; } = true;

    /// <summary>Whether times are in UTC instead of the local time zone.</summary>
    public bool TimeInUtc { get; set; }
}
