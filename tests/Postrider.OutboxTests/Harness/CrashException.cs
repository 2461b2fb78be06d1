using System.Data.Common;

namespace Postrider.OutboxTests.Harness;

/// <summary>What a process sees that has died.</summary>
internal sealed class CrashException() : DbException("The process has died.");
