namespace Postrider.Outbox;

/// <summary>The state of a row of the outbox for the relay.</summary>
public enum OutboxState
{
    /// <summary>Sends it.</summary>
    Ready = 0,

    /// <summary>Waits until it is due. Until then it can be cancelled.</summary>
    Scheduled = 1,

    /// <summary>It could not be sent, and stays until it is redriven or purged.</summary>
    Dead = 2,
}
