namespace Postrider.Rpc;

/// <summary>What has become of a command at one client.</summary>
public enum CommandState
{
    /// <summary>The client is not connected; the command waits for it.</summary>
    Pending,

    /// <summary>It is on its way, or being carried out.</summary>
    Posted,

    /// <summary>The client has carried it out.</summary>
    Executed,

    /// <summary>The client does not want it: it may not be, is not served, cannot be read, or there is too much to do.</summary>
    Rejected,

    /// <summary>It failed at the client, or the connection ended before the client had told of it.</summary>
    Failed,

    /// <summary>Its time was over before the client had carried it out.</summary>
    Expired,
}
