namespace Postrider.Rpc;

/// <summary>What has become of a command at one client.</summary>
/// <typeparam name="T">What clients answer.</typeparam>
/// <param name="Client">The name by which the client is known.</param>
/// <param name="State">What has become of it.</param>
/// <param name="Answer">The client's answer, when it has carried the command out.</param>
/// <param name="Failure">Why it was rejected or failed.</param>
public sealed record CommandResult<T>(string Client, CommandState State, T? Answer = default, Exception? Failure = null)
{
    /// <summary>Nothing will come after this.</summary>
    public bool IsFinal => State > CommandState.Posted;
}
