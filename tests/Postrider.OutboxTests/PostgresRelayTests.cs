using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

public sealed class PostgresRelayTests(PostgresServer server) : RelayCases(OutboxDatabase.PostgreSql, server);
