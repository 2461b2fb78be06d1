namespace Postrider.Broker;

/// <summary>The reason of a <see cref="BrokerException"/>.</summary>
public enum BrokerError
{
    /// <summary>The options contradict each other or are out of range.</summary>
    InvalidOptions,

    /// <summary>The configuration file cannot be read or has an error; the message begins with file, line and column.</summary>
    InvalidConfiguration,

    /// <summary>A command-line flag is unknown or its value cannot be read.</summary>
    InvalidArguments,

    /// <summary>The address to listen on is taken or does not belong to this machine.</summary>
    CannotListen,

    /// <summary>A file could not be written: pid, ports or log.</summary>
    CannotWriteFile,

    /// <summary>The folder of the streams cannot be read or created, or another server uses it.</summary>
    CannotReadStore,
}
