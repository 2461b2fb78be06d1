namespace Postrider.Outbox;

/// <summary>What the relay does with a row of the outbox.</summary>
public enum OutboxState
{
    /// <summary>Sends it.</summary>
    Ready = 0,

    /// <summary>Waits until it is due. Until then it can be cancelled.</summary>
    Scheduled = 1,

    /// <summary>Nothing: it could not be sent, and stays until it is redriven or purged.</summary>
    Dead = 2,
}
