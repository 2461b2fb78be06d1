using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

public sealed class SqliteOutboxTests(PostgresServer server) : OutboxCases(OutboxDatabase.Sqlite, server);
