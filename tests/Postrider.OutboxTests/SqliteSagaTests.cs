using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

public sealed class SqliteSagaTests(PostgresServer server) : SagaCases(OutboxDatabase.Sqlite, server);
