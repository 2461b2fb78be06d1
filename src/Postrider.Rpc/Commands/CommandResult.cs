namespace Postrider.Rpc;

/// <summary>The state of a command at one client.</summary>
/// <typeparam name="T">The clients' result.</typeparam>
/// <param name="Client">The client's name.</param>
/// <param name="State">The state.</param>
/// <param name="Answer">The client's result if it executed the command.</param>
/// <param name="Failure">The reason for rejection or failure.</param>
public sealed record CommandResult<T>(string Client, CommandState State, T? Answer = default, Exception? Failure = null)
{
    /// <summary>Whether the state is final.</summary>
    public bool IsFinal => State > CommandState.Posted;
}
