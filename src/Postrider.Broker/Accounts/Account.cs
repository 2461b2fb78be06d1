using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.Accounts;

/// <summary>A space of subjects of its own.</summary>
internal sealed class Account(string name)
{
    /// <summary>The account of clients without one.</summary>
    public const string GlobalName = "$G";

    /// <summary>The broker's own account.</summary>
    public const string SystemName = "$SYS";

    /// <summary>The account's name.</summary>
    public string Name { get; } = name;

    /// <summary>The account's subscriptions.</summary>
    public SubjectTree<Subscription> Subscriptions { get; } = new();

    /// <summary>The subjects without no-responders replies; null for none. Set before clients are accepted.</summary>
    public INoRespondersExemption? NoRespondersExemption { get; set; }
}
