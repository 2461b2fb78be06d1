namespace Postrider.CommandLine.Serving;

/// <summary>The signals of a running server.</summary>
internal enum ServerSignal
{
    /// <summary>Shut down (SIGINT).</summary>
    Quit,

    /// <summary>Shut down (SIGTERM).</summary>
    Terminate,

    /// <summary>Reload the configuration (SIGHUP).</summary>
    Reload,

    /// <summary>Reopen the log file (SIGUSR1).</summary>
    Reopen,

    /// <summary>Enter lame duck mode (SIGUSR2).</summary>
    LameDuck,

    /// <summary>Terminate immediately (SIGKILL); can be sent, never received.</summary>
    Stop,
}
