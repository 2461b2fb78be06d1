using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

public sealed class PostgresScheduleTests(PostgresServer server) : ScheduleCases(OutboxDatabase.PostgreSql, server);
