using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

public sealed class PostgresSagaTests(PostgresServer server) : SagaCases(OutboxDatabase.PostgreSql, server);
