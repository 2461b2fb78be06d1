namespace Postrider.CommandLine.Serving;

/// <summary>The signals of a running server.</summary>
internal enum ServerSignal
{
    /// <summary>Shut down (SIGINT).</summary>
    Quit,

    /// <summary>Shut down (SIGTERM).</summary>
    Terminate,

    /// <summary>Read the configuration again (SIGHUP).</summary>
    Reload,

    /// <summary>Open the log file again (SIGUSR1).</summary>
    Reopen,

    /// <summary>Enter lame duck mode (SIGUSR2).</summary>
    LameDuck,

    /// <summary>End at once (SIGKILL); can be sent, never received.</summary>
    Stop,
}
