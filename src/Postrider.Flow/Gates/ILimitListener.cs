namespace Postrider.Flow.Gates;

/// <summary>Whoever must start more work when a <see cref="ConcurrencyLimit"/> grows.</summary>
internal interface ILimitListener
{
    /// <summary>The limit has grown. Called on the thread that changed it; must not block.</summary>
    void LimitRaised();
}
