using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

public sealed class SqliteRelayTests(PostgresServer server) : RelayCases(OutboxDatabase.Sqlite, server);
