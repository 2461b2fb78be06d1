using System.Data.Common;

namespace Postrider.Outbox;

/// <summary>A scope's transaction, for the library's own statements.</summary>
internal interface ISqlTransaction
{
    /// <summary>The transaction; null if the scope has none.</summary>
    DbTransaction? Current { get; }
}
