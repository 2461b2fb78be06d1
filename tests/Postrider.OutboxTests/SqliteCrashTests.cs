using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

public sealed class SqliteCrashTests(PostgresServer server) : CrashCases(OutboxDatabase.Sqlite, server);
