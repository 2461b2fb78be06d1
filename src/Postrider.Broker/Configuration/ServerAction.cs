namespace Postrider.Broker;

/// <summary>The action of a server's command line.</summary>
public enum ServerAction
{
    /// <summary>Start the server.</summary>
    Run,

    /// <summary>Print the version.</summary>
    ShowVersion,

    /// <summary>Print the flags.</summary>
    ShowHelp,

    /// <summary>Only check the configuration file.</summary>
    CheckConfiguration,

    /// <summary>Send a signal to a running server.</summary>
    SendSignal,
}
