using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

public sealed class SqliteScheduleTests(PostgresServer server) : ScheduleCases(OutboxDatabase.Sqlite, server);
