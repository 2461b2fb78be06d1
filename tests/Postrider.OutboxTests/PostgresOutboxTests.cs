using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

public sealed class PostgresOutboxTests(PostgresServer server) : OutboxCases(OutboxDatabase.PostgreSql, server);
