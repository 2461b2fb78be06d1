namespace Postrider.Rpc;

/// <summary>The state of a command at one client.</summary>
public enum CommandState
{
    /// <summary>The client is not connected yet.</summary>
    Pending,

    /// <summary>The command was sent and has not completed.</summary>
    Posted,

    /// <summary>The client executed the command.</summary>
    Executed,

    /// <summary>The client rejected the command: it is forbidden, unknown or invalid, or the client is busy.</summary>
    Rejected,

    /// <summary>The command failed at the client, or the connection ended before the client responded.</summary>
    Failed,

    /// <summary>The time to live elapsed before the client completed the command.</summary>
    Expired,
}
